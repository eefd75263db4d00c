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

package io.keylake.catalog.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams from tables of rows: where they start, how far they go, and what they leave out. */
final class StreamSourceSparkTest {
  @TempDir private Path warehouse;
  @TempDir private Path checkpoints;
  private SharedSpark spark;

  @BeforeEach
  void startSpark() {
    spark = SharedSpark.over(warehouse);
  }

  private DrainedStream stream() {
    return new DrainedStream(spark, checkpoints.resolve("c"));
  }

  private DrainedStream fresh(String name) {
    return new DrainedStream(spark, checkpoints.resolve(name));
  }

  private TableStorage storage() {
    Path table = warehouse.resolve("db.db").resolve("t");
    return TableStorage.of(
        "t", HadoopFileIO.of(new Configuration()), TableLayout.of(new Location(table.toString())));
  }

  private void createAppend(String properties) {
    spark.run("CREATE TABLE t (id INT, v STRING)" + properties);
  }

  private void createKeyed(String properties) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1'"
            + properties
            + ")");
  }

  private void insert(String... values) {
    for (String value : values) {
      spark.run("INSERT INTO t VALUES " + value);
    }
  }

  @Test
  void readsTheWholeTableFirstThenWhatIsAppended() throws Exception {
    createAppend("");
    insert("(1, 'a'), (2, 'b')", "(3, 'c')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).containsExactlyInAnyOrder("1,a", "2,b", "3,c");
    assertThat(stream.rows()).isEmpty();
    insert("(4, 'd')", "(5, 'e')");
    assertThat(stream.rows()).containsExactly("4,d", "5,e");
    assertThat(stream.rows()).isEmpty();
  }

  @Test
  void aStreamOverAnEmptyTableGetsItsFirstRows() throws Exception {
    createAppend("");
    DrainedStream stream = stream();
    assertThat(stream.rows()).isEmpty();
    insert("(1, 'a')");
    assertThat(stream.rows()).containsExactly("1,a");
  }

  @Test
  void aPathIsReadAsAStream() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    DrainedStream stream =
        stream()
            .of(warehouse.resolve("db.db").resolve("t").toString())
            .with("scan.snapshot-id", "2");
    assertThat(stream.rows()).containsExactly("2,b", "3,c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scan.mode=latest | ",
        "scan.mode=latest-full | 1,a 2,b 3,c",
        "scan.mode=from-snapshot,scan.snapshot-id=2 | 2,b 3,c",
        "scan.snapshot-id=3 | 3,c",
        "scan.mode=from-snapshot-full,scan.snapshot-id=2 | 1,a 2,b 3,c",
        "scan.mode=from-timestamp,scan.timestamp-millis=0 | 1,a 2,b 3,c",
        "scan.timestamp-millis=32503680000000 | ",
        "scan.mode=from-file-creation-time,scan.file-creation-time-millis=0 | 1,a 2,b 3,c",
        "scan.file-creation-time-millis=32503680000000 | ",
        "scan.mode=compacted-full | 1,a 2,b 3,c",
        "scan.mode=from-snapshot,scan.tag-name=two | 2,b 3,c",
        "startingVersion=2 | 2,b 3,c",
        "startingVersion=two | 2,b 3,c",
        "startingVersion=latest | ",
        "startingTimestamp=2000-01-01 | 1,a 2,b 3,c",
        "startingTimestamp=3000-01-01 00:00:00 | "
      })
  void startsWhereItsOptionsSay(String options, String rows) throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    spark.run("CALL sys.create_tag(table => 't', tag => 'two', snapshot => 2)");
    DrainedStream stream = stream();
    for (String option : options.split(",")) {
      stream.with(option.split("=")[0], option.split("=")[1]);
    }
    List<String> expected = rows == null ? List.of() : List.of(rows.split(" "));
    assertThat(stream.rows()).containsExactlyInAnyOrderElementsOf(expected);
    insert("(4, 'd')");
    assertThat(stream.rows()).containsExactly("4,d");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scan.mode=from-creation-timestamp | is not supported by streams",
        "scan.mode=from-snapshot | needs",
        "startingVersion=9 | Versions 1 to 1 exist",
        "startingVersion=nine | Versions 1 to 1 exist",
        "startingVersion=1,scan.snapshot-id=1 | Keep one of",
        "scan.snapshot-id=9 | cannot start at version 9",
        "maxFilePerTrigger=1 | means nothing to this stream",
        "scan.visibility=compacted | means nothing to this stream",
        "incremental-between=1,2 | means nothing to this stream",
        "read.filter=nothing > 1 | no condition on rows",
        "read.filter=rand() > 1 | may answer differently",
        "maxTriggerDelayMs=5 | Set that too",
        "maxFilesPerTrigger=0 | at least 1"
      })
  void optionsWithoutMeaningAreRefused(String options, String message) throws Exception {
    createAppend("");
    insert("(1, 'a')");
    DrainedStream stream = stream();
    boolean isList = !options.startsWith("incremental");
    for (String option : isList ? options.split(",") : new String[] {options}) {
      stream.with(option.split("=")[0], option.split("=")[1]);
    }
    assertThat(stream.failure()).contains("KEYLAKE_", message);
  }

  @Test
  void aFirstVersionIsCutIntoBatchesThatGoOnInTheMiddle() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')", "(4, 'd')");
    DrainedStream stream = stream().with("maxFilesPerTrigger", "1");
    List<List<String>> batches = stream.batches();
    assertThat(batches).hasSize(4).allSatisfy(batch -> assertThat(batch).hasSize(1));
    assertThat(batches.stream().flatMap(List::stream))
        .containsExactlyInAnyOrder("1,a", "2,b", "3,c", "4,d");
    insert("(5, 'e')", "(6, 'f')");
    assertThat(stream.batches()).containsExactly(List.of("5,e"), List.of("6,f"));
  }

  @ParameterizedTest
  @CsvSource({"read.stream.maxRowsPerTrigger,2", "maxBytesPerTrigger,1kb"})
  void limitsCutChangesIntoBatches(String option, String value) throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b'), (3, 'c')", "(4, 'd')");
    List<List<String>> batches =
        stream().with(option, value).with("scan.snapshot-id", "1").batches();
    assertThat(batches.size()).isGreaterThan(1);
    assertThat(batches.stream().flatMap(List::stream))
        .containsExactlyInAnyOrder("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void compactionDeletesAndOverwritesOfAppendTablesDeliverNothing() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).hasSize(3);
    spark.run(
        "CALL sys.compact(table => 't', compact_strategy => 'full')", "DELETE FROM t WHERE id = 2");
    assertThat(stream.rows()).isEmpty();
    insert("(4, 'd')");
    assertThat(stream.rows()).containsExactly("4,d");
    spark.run("INSERT OVERWRITE t VALUES (5, 'e')");
    insert("(6, 'f')");
    assertThat(stream.rows()).containsExactly("6,f");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p = 'x' | 1,x 3,x",
        "id >= 2 AND p IN ('x', 'y') | 2,y 3,x",
        "upper(p) = 'Y' | 2,y",
        "id % 2 = 1 AND p LIKE 'x%' | 1,x 3,x",
        "p IS NULL | 4,null"
      })
  void aFilterLeavesOutRows(String filter, String rows) throws Exception {
    spark.run(
        "CREATE TABLE t (id INT, p STRING) PARTITIONED BY (p)",
        "INSERT INTO t VALUES (1, 'x'), (2, 'y')");
    DrainedStream stream =
        stream().with("read.filter", filter).with("scan.mode", "from-snapshot-full");
    stream.with("scan.snapshot-id", "1");
    spark.run("INSERT INTO t VALUES (3, 'x'), (4, NULL)");
    assertThat(stream.rows()).containsExactlyInAnyOrder(rows.split(" "));
  }

  @Test
  void aStreamOfRowsFailsAtADelete() throws Exception {
    createKeyed("");
    insert("(1, 'a'), (2, 'b')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).containsExactlyInAnyOrder("1,a", "2,b");
    insert("(2, 'B')");
    spark.run("DELETE FROM t WHERE id = 1");
    insert("(3, 'c')");
    assertThat(stream.failure()).contains("KEYLAKE_STREAM_DELETE", "ignoreDeletes");
    assertThat(stream.with("ignoreDeletes", "true").rows()).containsExactly("2,B", "3,c");
  }

  @Test
  void commitsThatAreKnownToDeleteArePassedOver() throws Exception {
    createKeyed("");
    insert("(1, 'a'), (2, 'b')");
    spark.run(
        "MERGE INTO t USING (SELECT 1 AS id UNION ALL SELECT 3) s ON t.id = s.id"
            + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (3, 'x')");
    insert("(4, 'd')");
    DrainedStream stream = stream().with("scan.snapshot-id", "1");
    assertThat(stream.with("skipChangeCommits", "true").rows())
        .containsExactlyInAnyOrder("1,a", "2,b", "4,d");
    assertThat(fresh("ignoring").with("scan.snapshot-id", "1").with("ignoreDeletes", "true").rows())
        .containsExactlyInAnyOrder("1,a", "2,b", "3,x", "4,d");
  }

  @Test
  void lagIsTold() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    DrainedStream stream = stream().with("maxFilesPerTrigger", "1").with("scan.snapshot-id", "1");
    stream.rows();
    assertThat(stream.progress().get(0).sources()[0].metrics())
        .containsEntry("snapshotsBehind", "2")
        .containsEntry("filesBehind", "2")
        .containsEntry("rowsBehind", "2")
        .containsKey("bytesBehind");
    assertThat(stream.progress().get(2).sources()[0].metrics())
        .containsEntry("snapshotsBehind", "0")
        .containsEntry("bytesBehind", "0");
  }
}
