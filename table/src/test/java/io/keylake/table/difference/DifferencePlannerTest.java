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

package io.keylake.table.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.golden.DataFiles;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DifferencePlannerTest {
  private static final TableSchema KEYED = schema(List.of("k"));
  private static final TableSchema APPEND = schema(List.of());

  private static TableSchema schema(List<String> primaryKeys) {
    DataField key = DataField.of(0, "k", DataTypes.INT.asNotNull());
    DataField value = DataField.of(1, "v", DataTypes.INT);
    return new TableSchema(
        3,
        0,
        List.of(key, value),
        1,
        List.of(),
        primaryKeys,
        Map.of("bucket", "1", "bucket-key", "k"),
        null,
        0,
        UnknownKeys.NONE);
  }

  private static BinaryRow key(int value) {
    return BinaryRowCodec.of(KEYED.keyType()).encode(List.of(value));
  }

  private static DataFiles file(String name, int min, int max) {
    return DataFiles.named(name).keys(key(min), key(max)).size(100);
  }

  private static BucketFiles bucket(int bucket, int total, DataFiles... files) {
    List<DataFile> built = new ArrayList<>();
    for (DataFiles file : files) {
      built.add(file.build());
    }
    return new BucketFiles(BinaryRow.EMPTY, bucket, total, built, Map.of(), List.of(), Set.of());
  }

  private static List<DifferenceSplit> plan(
      TableSchema schema, long targetBytes, List<BucketFiles> before, List<BucketFiles> after) {
    TableOptions options = TableOptions.of(schema);
    FileAddresses addresses =
        FileAddresses.of(TableLayout.of(new Location("file:/wh/t")), schema, options.fileLayout());
    return new DifferencePlanner(schema, options, addresses, targetBytes).plan(before, after);
  }

  private static List<DifferenceSplit> plan(TableSchema schema, BucketFiles then, BucketFiles now) {
    return plan(schema, 1000, List.of(then), List.of(now));
  }

  private static List<String> names(DifferenceSplit split) {
    return split.files().stream().map(file -> file.file().name()).toList();
  }

  @Test
  void onlyFilesThatShareKeysWithADifferenceAreRead() {
    DataFiles low = file("low", 1, 100).level(5).sequence(0, 9);
    DataFiles high = file("high", 101, 200).level(5).sequence(0, 9);
    List<DifferenceSplit> splits =
        plan(
            KEYED,
            bucket(0, 1, low, high),
            bucket(0, 1, low, high, file("new", 40, 60).sequence(10, 12)));

    assertThat(splits).hasSize(1);
    assertThat(names(splits.get(0))).containsExactly("low", "new");
    assertThat(splits.get(0).comparesSequence()).isFalse();
    assertThat(splits.get(0).files().get(0).isShared()).isTrue();
    assertThat(splits.get(0).files().get(1).before()).isNull();
    assertThat(splits.get(0).rowCount()).isEqualTo(file("new", 40, 60).build().rowCount());
  }

  @Test
  void rangesOfKeysWithoutADifferenceInBetweenAreTwoSplits() {
    DataFiles shared = file("shared", 1, 300).level(5);
    List<DifferenceSplit> connected =
        plan(
            KEYED,
            bucket(0, 1, shared),
            bucket(0, 1, shared, file("a", 10, 20), file("b", 200, 210)));
    List<DifferenceSplit> apart =
        plan(KEYED, bucket(0, 1), bucket(0, 1, file("a", 10, 20), file("b", 200, 210)));

    assertThat(connected).hasSize(1);
    assertThat(names(connected.get(0))).containsExactly("shared", "a", "b");
    assertThat(apart)
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void largeDifferencesAreCutByKeyAndRangesWithoutOneAreLeftOut() {
    DataFiles first = file("first", 1, 100).level(5);
    DataFiles second = file("second", 101, 200).level(5);
    DataFiles third = file("third", 201, 300).level(5);
    List<DifferenceSplit> splits =
        plan(
            KEYED,
            100,
            List.of(bucket(0, 1, first, second, third)),
            List.of(bucket(0, 1, first, second, third, file("new", 50, 150))));

    assertThat(splits)
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("first", "new"), List.of("new", "second"));
    assertThat(splits.get(0).keys().to()).isEqualTo(splits.get(1).keys().from());
  }

  @Test
  void statesWithTheSameFilesHaveNoDifference() {
    BucketFiles bucket = bucket(0, 1, file("a", 1, 10), file("b", 5, 20).level(5));

    assertThat(plan(KEYED, bucket, bucket)).isEmpty();
    assertThat(plan(APPEND, bucket, bucket)).isEmpty();
  }

  @Test
  void aFileWithAnotherVectorOrLevelDiffers() {
    BucketFiles plain = bucket(0, 1, file("a", 1, 10).level(5));
    BucketFiles marked =
        new BucketFiles(
            BinaryRow.EMPTY,
            0,
            1,
            plain.files(),
            Map.of("a", new IndexedVector("index-1", new DeletionVectorRef("a", 0, 9, 1L))),
            List.of(),
            Set.of());

    assertThat(plan(KEYED, plain, marked)).hasSize(1);
    assertThat(plan(APPEND, plain, marked)).hasSize(1);
    assertThat(plan(KEYED, plain, bucket(0, 1, file("a", 1, 10).level(4)))).hasSize(1);
  }

  @Test
  void sequenceNumbersAreComparedWhereRunsDoNotTell() {
    DataFiles old = file("old", 1, 10).level(5).sequence(5, 9);

    assertThat(
            plan(KEYED, bucket(0, 1, old), bucket(0, 1, old, file("late", 1, 10).sequence(9, 12)))
                .get(0)
                .comparesSequence())
        .isTrue();
  }

  @Test
  void aPartitionWithAnotherNumberOfBucketsIsComparedAsAWhole() {
    List<DifferenceSplit> splits =
        plan(
            KEYED,
            1000,
            List.of(bucket(0, 1, file("a", 1, 10))),
            List.of(bucket(0, 2, file("b", 1, 9)), bucket(1, 2, file("c", 2, 10))));

    assertThat(splits)
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("b", "a", "c"));
  }

  @Test
  void appendedFilesAreReadOneByOneAndRewrittenOnesTogether() {
    BucketFiles old = bucket(0, 1, file("a", 0, 0), file("b", 0, 0));

    assertThat(
            plan(
                APPEND,
                150,
                List.of(old),
                List.of(
                    bucket(
                        0, 1, file("a", 0, 0), file("b", 0, 0), file("c", 0, 0), file("d", 0, 0)))))
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("c"), List.of("d"));
    assertThat(plan(APPEND, 150, List.of(old), List.of(bucket(0, 1, file("c", 0, 0)))))
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("a", "b", "c"));
    assertThat(plan(APPEND, 150, List.of(old), List.of()))
        .extracting(DifferencePlannerTest::names)
        .containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void stagedRowsAreRefused() {
    assertThatThrownBy(() -> plan(KEYED, bucket(-2, -2), bucket(-2, -2, file("staged", 1, 10))))
        .isInstanceOfSatisfying(
            UnsupportedTableException.class,
            refused ->
                assertThat(refused.condition()).isEqualTo(Condition.KEYLAKE_UNSUPPORTED_FEATURE))
        .hasMessageContaining("postpone");
  }
}
