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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.catalog.SharedSpark;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
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
  private int checkpointCount;

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

  @Test
  void textsOfFixedLengthAreReadAsStrings() throws Exception {
    spark.run(
        "CREATE TABLE t (id INT, c CHAR(3), v VARCHAR(4), a ARRAY<CHAR(2)>) TBLPROPERTIES"
            + " ('primary-key' = 'id', 'bucket' = '1')",
        "INSERT INTO t VALUES (1, 'ab', 'xy', array('q'))");
    String path = warehouse.resolve("db.db").resolve("t").toString();
    assertThat(fresh("path").of(path).rows()).containsExactly("1,ab ,xy,ArraySeq(q )");
    assertThat(fresh("log").of("`t$audit_log`").rows()).containsExactly("+I,1,ab ,xy,ArraySeq(q )");
    assertThat(fresh("changes").asChanges().rows())
        .singleElement()
        .asString()
        .startsWith("1,ab ,xy,ArraySeq(q ),insert,1,");
    assertThat(spark.rows("SELECT v FROM t CHANGES FROM VERSION 1 WHERE c = 'ab'"))
        .containsExactly("xy");
  }

  @Test
  void changesBeginBehindTheNewestVersionWhereThatIsSaid() throws Exception {
    createAppend("");
    insert("(1, 'a')");
    DrainedStream stream = stream().asChanges().with("startingVersion", "latest");
    assertThat(stream.rows()).isEmpty();
    insert("(2, 'b')");
    assertThat(stream.rows()).singleElement().asString().startsWith("2,b,insert,2,");
  }

  @Test
  void theStartMayExpireBehindAQuery() throws Exception {
    createKeyed("");
    insert("(1, 'a')", "(2, 'b')");
    DrainedStream stream = stream().asChanges().with("startingVersion", "1");
    assertThat(stream.rows()).hasSize(2);
    insert("(3, 'c')");
    spark.run(
        "CALL sys.expire_snapshots(table => 't', retain_min => 1, retain_max => 2, older_than =>"
            + " '2999-01-01')");
    assertThat(stream.rows()).singleElement().asString().startsWith("3,c,insert,3,");
  }

  @Test
  void aStreamPlansNoBatchOfTheWholeTable() throws Exception {
    createKeyed("");
    insert("(1, 'a')");
    for (String option : List.of("t", "t$audit_log")) {
      Scan scan = fresh(option).of(option).scan();
      scan.toMicroBatchStream(checkpoints.resolve(option).toString());
      assertThat(scan.reportDriverMetrics()).isEmpty();
      assertThat(((SupportsReportStatistics) scan).estimateStatistics().numRows()).isEmpty();
    }
  }

  @Test
  void startsWhereItsOptionsSay() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    spark.run("CALL sys.create_tag(table => 't', tag => 'two', snapshot => 2)");
    for (String option :
        """
        scan.mode=latest -> after 3
        scan.mode=latest-full -> full 3
        scan.mode=from-snapshot,scan.snapshot-id=2 -> after 1
        scan.snapshot-id=1 -> after 0
        scan.mode=from-snapshot-full,scan.snapshot-id=2 -> full 2
        scan.mode=from-timestamp,scan.timestamp-millis=0 -> after 0
        scan.timestamp-millis=32503680000000 -> after 3
        scan.mode=from-file-creation-time,scan.file-creation-time-millis=0 -> full 3
        scan.mode=compacted-full -> full 3
        scan.mode=from-snapshot,scan.tag-name=two -> after 1
        scan.mode=from-snapshot-full,scan.tag-name=two -> full 2
        startingVersion=2 -> after 1
        startingVersion=two -> after 1
        startingVersion=latest -> after 3
        startingTimestamp=2000-01-01 -> after 0
        startingTimestamp=3000-01-01 00:00:00 -> after 3\
        """
            .lines()
            .toList()) {
      String[] parts = option.split(" -> ");
      String start = with(parts[0]).start();
      String full = parts[1].startsWith("full") ? "\"full\":true,\"index\":0" : "\"full\":false";
      assertThat(start).as(option).contains(full, "\"snapshot\":" + parts[1].split(" ")[1]);
    }
  }

  private DrainedStream with(String options) {
    DrainedStream stream = fresh("c" + checkpointCount++);
    for (String option : options.split(",(?=[a-zA-Z])")) {
      stream.with(option.split("=", 2)[0], option.split("=", 2)[1]);
    }
    return stream;
  }

  @Test
  void optionsWithoutMeaningAreRefused() throws Exception {
    createAppend("");
    insert("(1, 'a')");
    for (String option :
        """
        scan.mode=from-creation-timestamp -> is not supported by streams
        scan.mode=from-snapshot -> need 'scan.snapshot-id'
        startingVersion=9 -> Versions 1 to 1 exist
        startingVersion=nine -> Versions 1 to 1 exist
        startingVersion=1,scan.snapshot-id=1 -> Keep one of
        scan.snapshot-id=9 -> cannot start at version 9
        maxFilePerTrigger=1 -> means nothing to this stream
        scan.visibility=compacted -> means nothing to this stream
        incremental-between=0,1 -> cannot end
        read.changelog=true -> $audit_log
        read.filter=nothing > 1 -> no condition on rows
        read.filter=rand() > 1 -> may answer differently
        maxTriggerDelayMs=5 -> Set that too
        failOnDataLoss=false,scan.on-expired=error -> Keep one
        maxFilesPerTrigger=0 -> at least 1\
        """
            .lines()
            .toList()) {
      String[] parts = option.split(" -> ");
      assertThatThrownBy(
              () -> {
                MicroBatchStream source = with(parts[0]).source();
                ((SupportsAdmissionControl) source).getDefaultReadLimit();
                source.initialOffset();
              })
          .as(option)
          .hasMessageContaining("KEYLAKE_")
          .hasMessageContaining(parts[1]);
    }
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

  @Test
  void aFilterLeavesOutPartitionsAndRows() throws Exception {
    spark.run(
        "CREATE TABLE t (id INT, p STRING) PARTITIONED BY (p)",
        "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (5, 'x')",
        "INSERT INTO t VALUES (3, 'x'), (4, NULL)");
    DrainedStream stream =
        stream()
            .with("read.filter", "id % 2 = 1 AND id <> 5 AND p IN ('x', upper('y'))")
            .with("scan.mode", "from-snapshot-full")
            .with("scan.snapshot-id", "1");
    assertThat(stream.rows()).containsExactlyInAnyOrder("1,x", "3,x");
    assertThat(fresh("null").with("read.filter", "p IS NULL").rows()).containsExactly("4,null");
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
  void statementsThatReplaceFilesComeAsTheirChanges() throws Exception {
    createKeyed(", 'merge-engine' = 'aggregation', 'fields.v.aggregate-function' = 'listagg'");
    insert("(1, 'a'), (2, 'b')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).containsExactlyInAnyOrder("1,a", "2,b");
    spark.run("UPDATE t SET v = 'new' WHERE id = 1");
    assertThat(stream.rows()).containsExactly("1,new");
    spark.run("DELETE FROM t WHERE id = 2");
    assertThat(stream.failure()).contains("KEYLAKE_STREAM_DELETE");
    assertThat(stream.with("ignoreDeletes", "true").rows()).isEmpty();
  }

  @Test
  void aDeleteOfAllRowsIsADelete() throws Exception {
    createKeyed("");
    insert("(1, 'a')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).containsExactly("1,a");
    spark.run("DELETE FROM t");
    assertThat(stream.failure()).contains("KEYLAKE_STREAM_DELETE");
  }

  @Test
  void overwritesAreDeliveredWhereAnOptionSaysSo() throws Exception {
    createKeyed("");
    insert("(1, 'a'), (2, 'b')");
    spark.run("INSERT OVERWRITE t VALUES (2, 'B')");
    DrainedStream stream = stream().of("`t$audit_log`").with("scan.snapshot-id", "1");
    assertThat(stream.rows()).containsExactly("+I,1,a", "+I,2,b");
    assertThat(
            fresh("overwrites")
                .of("`t$audit_log`")
                .with("scan.snapshot-id", "1")
                .with("streaming-read-overwrite", "true")
                .rows())
        .containsExactly("+I,1,a", "+I,2,b", "-D,1,a", "-U,2,b", "+U,2,B");
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

  @Test
  void progressIsKeptUnderAConsumersName() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')");
    DrainedStream stream = stream().with("consumer-id", "me");
    assertThat(stream.rows()).hasSize(2);
    assertThat(storage().consumers().all()).containsExactly(Map.entry("me", 3L));
    insert("(3, 'c')");
    assertThat(fresh("other").with("consumer-id", "me").rows()).containsExactly("3,c");
    assertThat(storage().consumers().nextSnapshot("me")).hasValue(4);
    assertThat(
            fresh("third")
                .with("consumer-id", "me")
                .with("consumer.ignore-progress", "true")
                .start())
        .contains("\"full\":true");
  }

  @Test
  void whileAQueryRunsWhatItHasNotReadIsKept() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    MicroBatchStream source = stream().with("scan.snapshot-id", "2").source();
    ((SupportsAdmissionControl) source)
        .latestOffset(source.initialOffset(), ReadLimit.allAvailable());
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");
    assertThat(storage().snapshots().ids()).containsExactly(2L, 3L);
    source.stop();
    assertThat(storage().consumers().all()).isEmpty();
  }

  @Test
  void aStreamWhoseSnapshotHasExpiredSaysSo() throws Exception {
    createAppend("");
    insert("(1, 'a')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).containsExactly("1,a");
    insert("(2, 'b')", "(3, 'c')", "(4, 'd')");
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 2, retain_min => 1)");
    assertThat(stream.failure())
        .contains("KEYLAKE_STREAM_EXPIRED", "whose changes are kept is 3", "scan.on-expired");
    assertThat(stream.with("failOnDataLoss", "false").rows()).containsExactly("3,c", "4,d");
    assertThat(stream.with("failOnDataLoss", null).rows()).isEmpty();
  }

  @Test
  void aRollbackIsNoticed() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).hasSize(2);
    spark.run("CALL sys.rollback(table => 't', version => '1')");
    assertThat(stream.failure()).contains("KEYLAKE_STREAM_ROLLED_BACK");
    insert("(3, 'c')");
    assertThat(stream.failure()).contains("KEYLAKE_STREAM_ROLLED_BACK", "read snapshot 2");
  }

  @Test
  void addedColumnsAreSeenAfterARestartAndDroppedOnesStopTheQuery() throws Exception {
    createAppend("");
    insert("(1, 'a')");
    MicroBatchStream source = stream().source();
    SupportsAdmissionControl admission = (SupportsAdmissionControl) source;
    spark.run("ALTER TABLE t ADD COLUMN w INT");
    insert("(2, 'b', 20)");
    DrainedStream second = with("scan.snapshot-id=2");
    Offset start = source.deserializeOffset(second.start());
    Offset end = admission.latestOffset(start, ReadLimit.allAvailable());
    assertThat(source.planInputPartitions(start, end)).hasSize(1);
    assertThat(second.rows()).containsExactly("2,b,20");
    spark.run("ALTER TABLE t DROP COLUMN v");
    insert("(3, 30)");
    assertThatThrownBy(() -> admission.latestOffset(end, ReadLimit.allAvailable()))
        .hasMessageContaining("KEYLAKE_STREAM_SCHEMA_CHANGED")
        .hasMessageContaining("column v was dropped");
    source.stop();
    assertThat(second.rows()).containsExactly("3,30");
  }

  @Test
  void aQueryThatStoppedInItsFirstBatchStartsWhereItDid() throws Exception {
    createAppend("");
    insert("(1, 'a')");
    String start = stream().start();
    insert("(2, 'b')");
    assertThat(stream().start()).isEqualTo(start);
    assertThat(stream().batches()).containsExactly(List.of("1,a"), List.of("2,b"));
  }

  @Test
  void aBatchThatIsPlannedAgainHasTheSameRows() throws Exception {
    createAppend("");
    insert("(1, 'a')", "(2, 'b')", "(3, 'c')");
    MicroBatchStream source = stream().source();
    Offset start = source.initialOffset();
    Offset end = ((SupportsAdmissionControl) source).latestOffset(start, ReadLimit.maxFiles(2));
    assertThat(end.json()).contains("\"index\":2");
    insert("(4, 'd')");
    spark.run("CALL sys.compact(table => 't', compact_strategy => 'full')");
    MicroBatchStream again = stream().source();
    assertThat(again.planInputPartitions(start, end))
        .isEqualTo(source.planInputPartitions(start, end));
    MicroBatchStream other = stream().with("read.filter", "id > 1").source();
    assertThatThrownBy(() -> other.planInputPartitions(start, end))
        .hasMessageContaining("KEYLAKE_STREAM_PLAN_CHANGED");
    source.stop();
  }

  @Test
  void everyChangeComesWithItsKindInTheOrderOfCommits() throws Exception {
    createKeyed(", 'changelog-producer' = 'lookup'");
    insert("(1, 'a'), (2, 'b')");
    DrainedStream stream = stream().of("`t$audit_log`");
    assertThat(stream.rows()).containsExactlyInAnyOrder("+I,1,a", "+I,2,b");
    insert("(1, 'A')");
    spark.run("DELETE FROM t WHERE id = 1");
    insert("(1, 'z')");
    assertThat(stream.rows()).containsExactly("-U,1,a", "+U,1,A", "-D,1,A", "+I,1,z");
    assertThat(fresh("pairs").of("`t$binlog`").with("scan.snapshot-id", "3").rows())
        .containsExactly(
            "+U,ArraySeq(1, 1),ArraySeq(a, A)",
            "-D,ArraySeq(1),ArraySeq(A)",
            "+I,ArraySeq(1),ArraySeq(z)");
    String path = warehouse.resolve("db.db").resolve("t").toString();
    assertThat(
            fresh("path")
                .of(path)
                .with("read.changelog", "true")
                .with("startingVersion", "7")
                .rows())
        .containsExactly("+I,1,z");
  }

  @Test
  void changesOfARangeAreReadAsAStream() throws Exception {
    createKeyed("");
    insert("(1, 'a')", "(1, 'b'), (2, 'c')");
    spark.run("DELETE FROM t WHERE id = 2");
    DrainedStream stream = stream().asChanges().with("startingVersion", "2");
    assertThat(stream.rows().stream().map(row -> row.replaceAll(",[0-9-]+ [0-9:.]+$", "")))
        .containsExactlyInAnyOrder(
            "1,a,update_preimage,2", "1,b,update_postimage,2", "2,c,insert,2", "2,c,delete,3");
    assertThat(stream.rows()).isEmpty();
  }

  @Test
  void rescaleDeliversNothingAndKeysStayInOrder() throws Exception {
    createKeyed("");
    insert("(1, 'a'), (2, 'b'), (3, 'c')");
    DrainedStream stream = stream();
    assertThat(stream.rows()).hasSize(3);
    insert("(1, 'A'), (2, 'B')");
    spark.run(
        "CALL sys.rescale(table => 't', bucket_num => 3)",
        "ALTER TABLE t SET TBLPROPERTIES ('bucket' = '3')");
    insert("(1, 'z'), (2, 'y')");
    List<String> rows = stream.rows();
    assertThat(rows).hasSize(4);
    assertThat(rows.stream().filter(row -> row.startsWith("1,"))).containsExactly("1,A", "1,z");
    assertThat(rows.stream().filter(row -> row.startsWith("2,"))).containsExactly("2,B", "2,y");
  }

  @Test
  void theReferencesTablesStreamAsTheReferenceReadsThem() throws Exception {
    for (String table :
        List.of(
            "cl_input",
            "cl_lookup",
            "cl_full",
            "cl_agg_lookup",
            "pk_l0_deletes",
            "dv_pk64",
            "first_row",
            "overwrites",
            "append_unaware")) {
      GoldenTables.unpack(table, warehouse.resolve("db.db"));
      List<String> expected = new ArrayList<>();
      for (String line : GoldenTables.expected(table, "expected-stream.jsonl")) {
        List<String> cells = new ArrayList<>();
        new ObjectMapper().readTree(line).forEach(cell -> cells.add(cell.asText()));
        expected.add(String.join(",", cells.subList(1, cells.size())));
      }
      DrainedStream stream =
          fresh(table)
              .of("`" + table + "$audit_log`")
              .with("scan.mode", "from-snapshot-full")
              .with("scan.snapshot-id", "1");
      assertThat(stream.rows()).as(table).containsExactlyInAnyOrderElementsOf(expected);
    }
  }
}
