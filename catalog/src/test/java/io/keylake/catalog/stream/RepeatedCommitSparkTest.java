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

import io.keylake.catalog.SharedSpark;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Epochs and numbered commits that come again, also after their snapshots have expired. */
final class RepeatedCommitSparkTest {
  private static final String T = "lake.db.t";
  private static final String KV = "k INT, v STRING";

  @TempDir private Path folder;
  private SharedSpark spark;
  private JsonStream stream;

  @BeforeEach
  void open() {
    spark = SharedSpark.over(folder.resolve("w"));
    stream = new JsonStream(spark, folder.resolve("s"));
    spark.run("CREATE TABLE t (k INT, v STRING)");
  }

  @AfterEach
  void reset() throws Exception {
    SoundTable.checkEverything(table());
    assertThat(ReferenceTable.of(folder.resolve("w").toString(), "db", "t").problems()).isEmpty();
  }

  private Path table() {
    return folder.resolve("w/db.db/t");
  }

  private List<String> rows() {
    return spark.rows("SELECT * FROM t ORDER BY ALL");
  }

  private List<String> fences() throws IOException {
    try (Stream<Path> files = Files.list(table().resolve("fence"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .map(name -> name.replaceAll("-\\d{10,}|-[0-9a-f]{32}", ""))
          .sorted()
          .toList();
    }
  }

  private void run() throws Exception {
    stream.run(stream.rows(KV).writeStream(), T);
  }

  private void writeTwoEpochsThenOthers() throws Exception {
    stream.put("{\"k\": 1, \"v\": \"a\"}").put("{\"k\": 2, \"v\": \"b\"}");
    run();
    spark.run("INSERT INTO t VALUES (3, 'c')", "INSERT INTO t VALUES (4, 'd')");
  }

  @Test
  void epochIsKnownAfterItsSnapshotHasExpired() throws Exception {
    writeTwoEpochsThenOthers();
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("1");
    assertThat(fences()).containsExactly("covered-3-0-0", "fence-1");
    stream.forgetEnd(1);

    run();

    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d");
    stream.put("{\"k\": 5, \"v\": \"e\"}");
    run();
    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d", "5,e");
    spark.run("INSERT INTO t VALUES (6, 'f')");
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");
    assertThat(fences()).containsExactly("covered-5-0-0", "fence-2");
  }

  @Test
  void epochThatWasNeverCommittedIsWrittenAlsoWhenAllElseHasExpired() throws Exception {
    stream.put("{\"k\": 1, \"v\": \"a\"}");
    run();
    stream.put("{\"k\": 2, \"v\": \"b\"}");
    StreamingQuery failed =
        stream
            .rows(KV)
            .selectExpr("k", "if(k = 2, raise_error('stop'), v) AS v")
            .writeStream()
            .option("checkpointLocation", stream.checkpoint().toString())
            .trigger(Trigger.AvailableNow())
            .toTable(T);
    assertThatThrownBy(failed::awaitTermination).hasMessageContaining("stop");
    spark.run("INSERT INTO t VALUES (3, 'c')", "INSERT INTO t VALUES (4, 'd')");
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");

    run();

    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d");
  }

  @Test
  void epochThatOthersMayHaveForgottenIsNotGuessed() throws Exception {
    writeTwoEpochsThenOthers();
    ReferenceTable.of(folder.resolve("w").toString(), "db", "t").expire(1);
    stream.forgetEnd(1);

    assertThatThrownBy(this::run)
        .hasMessageContaining("KEYLAKE_FENCE_EXPIRED")
        .hasMessageContaining("epoch 1 of query")
        .hasMessageContaining("commit.lost-fence");
    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d");

    stream.run(stream.rows(KV).writeStream().option("commit.lost-fence", "skip"), T);
    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d");
    stream.put("{\"k\": 5, \"v\": \"e\"}");
    run();
    assertThat(rows()).containsExactly("1,a", "2,b", "3,c", "4,d", "5,e");
  }

  @Test
  void lostEpochIsCommittedWhenToldSo() throws Exception {
    writeTwoEpochsThenOthers();
    ReferenceTable.of(folder.resolve("w").toString(), "db", "t").expire(1);
    stream.forgetEnd(1);

    stream.run(stream.rows(KV).writeStream().option("commit.lost-fence", "commit"), T);

    assertThat(rows()).containsExactly("1,a", "2,b", "2,b", "3,c", "4,d");
  }

  private void append(int k, String app, String version) throws Exception {
    spark
        .sql("SELECT %d AS k, 'x' AS v".formatted(k))
        .writeTo(T)
        .option("txnAppId", app)
        .option("txnVersion", version)
        .append();
  }

  @Test
  void numberedFramesAreWrittenOnce() throws Exception {
    append(1, "app", "5");
    append(2, "app", "5");
    append(3, "app", "4");
    append(4, "other", "5");
    spark.run("CALL sys.expire_snapshots(table => 't', retain_max => 1, retain_min => 1)");
    append(5, "app", "5");
    append(6, "app", "6");

    assertThat(rows()).containsExactly("1,x", "4,x", "6,x");
    assertThat(spark.rows("SELECT commit_user, commit_identifier FROM `t$snapshots` LIMIT 1"))
        .containsExactly("txn-other,5");
  }

  @Test
  void numberWithoutAJobIsRefused() {
    assertThatThrownBy(
            () ->
                spark.sql("SELECT 1 AS k, 'x' AS v").writeTo(T).option("txnVersion", "1").append())
        .hasMessageContaining("KEYLAKE_INVALID_OPTION")
        .hasMessageContaining("txnAppId");
    assertThat(rows()).isEmpty();
  }

  @Test
  void statementsOfASessionThatNumbersThemAreCarriedOutOnce() {
    spark.run(
        "CREATE TABLE m (k INT, v STRING, PRIMARY KEY (k) NOT ENFORCED)",
        "INSERT INTO m VALUES (1, 'a')",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    spark.session().conf().set("spark.keylake.txnAppId", "job");
    String merge =
        "MERGE INTO m USING (SELECT 1 AS k) s ON m.k = s.k WHEN MATCHED THEN UPDATE SET v ="
            + " concat(v, 'x')";
    twice(1, merge);
    twice(1, "DELETE FROM t WHERE k = 1", "INSERT INTO t VALUES (1, 'new')");
    twice(2, "UPDATE t SET v = concat(v, 'x') WHERE k = 2");
    twice(3, "INSERT OVERWRITE t VALUES (7, 'o')", "INSERT INTO t VALUES (8, 'late')");

    assertThat(spark.rows("SELECT * FROM m")).containsExactly("1,ax");
    assertThat(rows()).containsExactly("7,o", "8,late");
  }

  /** Runs a statement, another without a number, and the first again. */
  private void twice(int version, String statement, String... between) {
    numbered(version, statement);
    spark.session().conf().unset("spark.keylake.txnAppId");
    spark.run(between);
    spark.session().conf().set("spark.keylake.txnAppId", "job");
    numbered(version, statement);
  }

  private void numbered(int version, String statement) {
    spark.session().conf().set("spark.keylake.txnVersion", String.valueOf(version));
    spark.run(statement);
    spark.session().conf().unset("spark.keylake.txnVersion");
  }

  @Test
  void batchesOfAFunctionAreWrittenOnce() throws Exception {
    stream.put("{\"k\": 1, \"v\": \"a\"}").put("{\"k\": 2, \"v\": \"b\"}");
    VoidFunction2<Dataset<Row>, Long> write =
        (rows, epoch) ->
            rows.writeTo(T)
                .option("txnAppId", "pipeline")
                .option("txnVersion", String.valueOf(epoch))
                .append();
    for (int round = 0; round < 2; round++) {
      stream
          .rows(KV)
          .writeStream()
          .option("checkpointLocation", stream.checkpoint().toString())
          .trigger(Trigger.AvailableNow())
          .foreachBatch(write)
          .start()
          .awaitTermination();
      if (round == 0) {
        stream.forgetEnd(1);
      }
    }

    assertThat(rows()).containsExactly("1,a", "2,b");
    assertThat(spark.value("SELECT count(*) FROM `t$snapshots`")).isEqualTo("2");
  }
}
