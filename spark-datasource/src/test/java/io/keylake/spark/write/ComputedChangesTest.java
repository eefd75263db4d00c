/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.spark.changelog.difference.DifferenceChangeSplit;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.StateChanges;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.IndexedVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of computed changes one by one; {@link DifferenceHistoryTest} has them together. */
class ComputedChangesTest {
  private static final long LARGE = 1L << 30;

  @TempDir Path folder;

  private WriteTarget keyed(DataType value, Map<String, String> more) {
    return create(value, List.of("k"), more);
  }

  private WriteTarget append(DataType value, Map<String, String> more) {
    return create(value, List.of(), more);
  }

  private WriteTarget create(DataType value, List<String> keys, Map<String, String> more) {
    Map<String, String> options = new LinkedHashMap<>(Map.of("write-only", "true"));
    options.putAll(more);
    TableSchema schema =
        TestRows.schema(
            List.of(
                DataField.of(0, "k", keys.isEmpty() ? DataTypes.INT : DataTypes.INT.asNotNull()),
                DataField.of(1, "v", value)),
            List.of(),
            keys,
            options);
    return WriteFixture.create(folder.resolve("t"), schema);
  }

  private static List<Row> rows(Object... keysAndValues) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      rows.add(RowFactory.create(keysAndValues[i], keysAndValues[i + 1]));
    }
    return rows;
  }

  private static void overwrite(WriteTarget target, List<Row> rows) {
    WriteFixture.write(target, Replacement.of(new OverwriteScope.WholeTable()), rows, 1);
  }

  private static LakeTable lake(WriteTarget target) {
    return LakeTable.find(target.storage()).orElseThrow();
  }

  /** Computed in a task of Spark's, as sorting needs one. */
  private List<String> between(TableSchema schema, long from, long to) {
    String place = folder.resolve("t").toString();
    return WriteFixture.spark()
        .parallelize(List.of(1), 1)
        .flatMap(
            any -> {
              LakeTable lake = lake(WriteFixture.open(Path.of(place), schema));
              LakeTable before = lake.at(lake.storage().snapshots().load(from));
              LakeTable after = lake.at(lake.storage().snapshots().load(to));
              return new StateChanges(lake, LARGE, 100).between(before, after).iterator();
            })
        .collect();
  }

  @Test
  void aKeyWrittenAgainWithTheSameValuesHasNotChanged() {
    WriteTarget target = keyed(DataTypes.DOUBLE, Map.of("bucket", "1"));
    WriteFixture.append(target, rows(1, 0.0, 2, Double.NaN, 3, null, 4, 4.0), 1);
    WriteFixture.append(target, rows(1, -0.0, 2, Double.NaN, 3, null, 4, 5.0), 1);

    assertThat(between(target.schema(), 1, 2))
        .containsExactly("-U {\"k\":4,\"v\":4.0}", "+U {\"k\":4,\"v\":5.0}");
  }

  @Test
  void rowsThatMoveToOtherBucketsHaveNotChanged() {
    WriteTarget target = keyed(DataTypes.INT, Map.of("bucket", "2"));
    WriteFixture.append(target, rows(1, 1, 2, 2, 3, 3, 4, 4, 5, 5), 1);
    TableSchema wider =
        TestRows.schema(
            target.schema().fields(),
            List.of(),
            List.of("k"),
            Map.of("write-only", "true", "bucket", "3"));
    WriteTarget rescaled =
        new WriteTarget(
            target.name(), target.storage(), wider, TableOptions.of(wider), target.functions());
    overwrite(rescaled, rows(1, 1, 2, 2, 3, 33, 4, 4, 6, 6));

    assertThat(StateChanges.sorted(between(target.schema(), 1, 2)))
        .containsExactly(
            "+I {\"k\":6,\"v\":6}",
            "+U {\"k\":3,\"v\":33}",
            "-D {\"k\":5,\"v\":5}",
            "-U {\"k\":3,\"v\":3}");
  }

  @Test
  void ofALargeBucketOnlyPagesNearTheTouchedKeysAreRead() throws IOException {
    WriteTarget target = keyed(DataTypes.STRING, Map.of("bucket", "1", "file.block-size", "8 kb"));
    List<Row> many =
        IntStream.range(0, 20_000)
            .mapToObj(k -> RowFactory.create(2 * k, "value " + k * 31))
            .toList();
    WriteFixture.append(target, many, 1);
    WriteFixture.append(target, rows(100, "new", 101, "inserted", 39_000, "new"), 1);
    LakeTable lake = lake(target);
    StateChanges changes = new StateChanges(lake, LARGE, 1000);
    List<String> found =
        changes.between(
            lake.at(lake.storage().snapshots().load(1)),
            lake.at(lake.storage().snapshots().load(2)));

    assertThat(found)
        .containsExactly(
            "-U {\"k\":100,\"v\":\"value 1550\"}",
            "+U {\"k\":100,\"v\":\"new\"}",
            "+I {\"k\":101,\"v\":\"inserted\"}",
            "-U {\"k\":39000,\"v\":\"value 604500\"}",
            "+U {\"k\":39000,\"v\":\"new\"}");
    assertThat(changes.metrics().keysCompared()).as("keys compared").isBetween(5L, 10_000L);
    assertThat(changes.metrics().rowsFetched()).as("rows fetched").isBetween(5L, 10_000L);
  }

  @Test
  void sharedFilesAreNotReadForValuesWhereTheirKeysAreNotHit() throws IOException {
    WriteTarget target = keyed(DataTypes.INT, Map.of("bucket", "1"));
    List<Row> even = IntStream.range(0, 5_000).mapToObj(k -> RowFactory.create(2 * k, k)).toList();
    List<Row> odd = IntStream.range(0, 300).mapToObj(k -> RowFactory.create(2 * k + 1, k)).toList();
    WriteFixture.append(target, even, 1);
    WriteFixture.append(target, odd, 1);
    LakeTable lake = lake(target);
    StateChanges changes = new StateChanges(lake, LARGE, 1000);
    List<String> found =
        changes.between(
            lake.at(lake.storage().snapshots().load(1)),
            lake.at(lake.storage().snapshots().load(2)));

    assertThat(found).hasSize(300).allMatch(change -> change.startsWith("+I "));
    assertThat(changes.metrics().rowsFetched()).isEqualTo(300);
  }

  @Test
  void aRewriteOfAnAppendTableShowsOnlyWhatItChanged() {
    WriteTarget target = append(DataTypes.INT, Map.of());
    WriteFixture.append(target, rows(1, 1, 1, 1, 2, 2, 3, null, 4, 4), 1);
    overwrite(target, rows(4, 4, 2, 2, 3, null, 1, 1, 5, 5, 2, 2));

    assertThat(StateChanges.sorted(between(target.schema(), 1, 2)))
        .containsExactly("+I {\"k\":2,\"v\":2}", "+I {\"k\":5,\"v\":5}", "-D {\"k\":1,\"v\":1}");
  }

  @Test
  void rewrittenRowsAreComparedAsValues() {
    DataType map = new MapType(DataTypes.STRING.asNotNull(), DataTypes.DOUBLE, true);
    WriteTarget target = append(map, Map.of());
    Map<String, Double> one = new LinkedHashMap<>();
    one.put("a", -0.0);
    one.put("b", Double.NaN);
    Map<String, Double> other = new LinkedHashMap<>();
    other.put("b", Double.NaN);
    other.put("a", 0.0);
    WriteFixture.append(target, rows(1, scala(one), 2, scala(Map.of("a", 1.0))), 1);
    overwrite(target, rows(1, scala(other), 2, scala(Map.of("a", 2.0))));

    assertThat(StateChanges.sorted(between(target.schema(), 1, 2)))
        .hasSize(2)
        .allMatch(change -> change.contains("\"k\":2"));
  }

  private static Object scala(Map<String, Double> map) {
    return scala.jdk.javaapi.CollectionConverters.asScala(map);
  }

  @Test
  void newlyMarkedRowsOfAnAppendTableAreDeletes() throws IOException {
    WriteTarget target = append(DataTypes.INT, Map.of("file.block-size", "8 kb"));
    List<Row> many =
        IntStream.range(0, 20_000).mapToObj(k -> RowFactory.create(k, k * 7919 % 100_003)).toList();
    WriteFixture.append(target, many, 1);
    LakeTable lake = lake(target);
    StateChanges changes = new StateChanges(lake, LARGE, 100);
    List<BucketFiles> plain = changes.files(lake.at(lake.storage().snapshots().load(1)));
    List<DifferenceChangeSplit> splits =
        changes.splits(
            List.of(marked(plain.get(0), 5, 2_000)),
            List.of(marked(plain.get(0), 5, 77, 2_000, 19_999)));

    assertThat(changes.read(splits))
        .containsExactly(
            "-D {\"k\":77,\"v\":" + 77 * 7919 % 100_003 + "}",
            "-D {\"k\":19999,\"v\":" + 19_999 * 7919 % 100_003 + "}");
    assertThat(changes.metrics().rowGroupsSkipped())
        .as("row groups without such a row")
        .isPositive();
    assertThat(
            changes.read(
                changes.splits(List.of(marked(plain.get(0), 5)), List.of(marked(plain.get(0), 5)))))
        .as("a vector that is only stored anew")
        .isEmpty();
  }

  private int vectorFiles;

  private BucketFiles marked(BucketFiles bucket, long... positions) throws IOException {
    String file = bucket.files().get(0).name();
    DeletionVectorFile stored =
        DeletionVectorFile.encode(Map.of(file, DeletionVector.of(positions)), VectorVersion.V1);
    Path path = folder.resolve("index-" + vectorFiles++);
    Files.write(path, stored.content());
    return new BucketFiles(
        bucket.partition(),
        bucket.bucket(),
        bucket.totalBuckets(),
        bucket.files(),
        Map.of(file, new IndexedVector("file:" + path, stored.vectors().get(0))),
        List.of(),
        Set.of());
  }
}
