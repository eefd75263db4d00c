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

package io.keylake.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.extensions.dialect.FlinkDialect;
import io.keylake.extensions.parser.KeylakeParser;
import io.keylake.extensions.parser.OwnStatement;
import io.keylake.extensions.parser.StatementScope;
import io.keylake.extensions.parser.TokenCursor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parser beside those of other extensions, and what it leaves alone. */
final class ParserSparkTest {
  @TempDir static Path warehouse;

  private static SharedSpark spark;

  @BeforeAll
  static void start() {
    spark = SharedSpark.withRules(warehouse);
    spark.run(
        "CREATE TABLE t (k INT, v STRING) TBLPROPERTIES ('primary-key' = 'k', 'bucket' = '1')",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')");
  }

  @Test
  void errorsPointAtTheUsersText() {
    assertThatThrownBy(() -> spark.run("ALTER TABLE t SET ('a' = '1')\n WHERE 1"))
        .hasMessageContaining("(line 2, pos 1)")
        .hasMessageNotContaining("TBLPROPERTIES");
    assertThatThrownBy(
            () -> spark.run("SELECT * FROM t /*+ OPTIONS('scan.version' = '1') */ WHER k ,, = 1"))
        .hasMessageContaining("pos 58")
        .hasMessageContaining("/*+ OPTIONS");
    assertThatThrownBy(() -> spark.run("SELECT ARRAY[1, 2], MAP[1, 2], nocol FROM t"))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            failure -> assertThat(failure.getQueryContext()[0].fragment()).isEqualTo("nocol"));
    assertThatThrownBy(() -> spark.run("SELEC 1")).hasMessageContaining("(line 1, pos 0)");
  }

  @Test
  void whatSparkParsesIsLeftAlone() {
    assertThat(spark.rows("SELECT /* c */ k -- d\n FROM t ORDER BY k")).containsExactly("1", "2");
    assertThat(spark.rows("SELECT /*+ COALESCE(1) */ count(*) FROM t")).containsExactly("2");
    spark.run("CREATE OR REPLACE TEMPORARY VIEW w AS SELECT * FROM t WHERE k = 1");
    assertThat(spark.rows("SELECT * FROM w")).containsExactly("1,a");
    assertThat(spark.rows("EXECUTE IMMEDIATE 'SELECT v FROM t WHERE k = ?' USING 2"))
        .containsExactly("b");
    assertThat(spark.rows("BEGIN DECLARE x INT DEFAULT 2; SELECT v FROM t WHERE k = x; END"))
        .containsExactly("b");
  }

  @Test
  void parametersAndVariablesReachTheDialect() {
    String named = "SELECT v FROM t /*+ OPTIONS('scan.version' = '1') */ WHERE k = :key";
    String placed = "SELECT v, ARRAY[1, ?] FROM t /*+ OPTIONS('scan.version' = '1') */ WHERE k = ?";
    assertThat(spark.session().sql(named, Map.of("key", 2)).first().getString(0)).isEqualTo("b");
    assertThat(spark.session().sql(placed, new Object[] {7, 1}).first().mkString("|"))
        .contains("a|")
        .contains("1, 7");
    assertThat(spark.rows("EXECUTE IMMEDIATE 'SELECT ARRAY[k, 5] FROM t WHERE k = 1'")).hasSize(1);
    spark.run("SET dialect.version = 1");
    assertThat(
            spark.rows(
                "SELECT v FROM t /*+ OPTIONS('scan.version' = '${dialect.version}') */ WHERE k ="
                    + " 1"))
        .containsExactly("a");
    assertThat(
            spark.rows(
                "BEGIN INSERT INTO t /*+ OPTIONS('sink.parallelism' = '1') */ VALUES (2, 'b');"
                    + " SELECT v FROM t WHERE k = 2; END"))
        .containsExactly("b");
  }

  @Test
  void viewsKeepTheRewrittenQuery() {
    spark.run(
        "CREATE TEMPORARY VIEW hinted AS SELECT k FROM t /*+ OPTIONS('scan.snapshot-id' = '1') */");
    assertThat(spark.rows("SELECT * FROM hinted ORDER BY k")).containsExactly("1", "2");
  }

  @Test
  void parsersOfOtherExtensionsWorkInEitherOrder() throws ParseException {
    SparkSession session = (SparkSession) spark.session();
    ParserInterface sparks = new org.apache.spark.sql.execution.SparkSqlParser();
    String hinted = "SELECT * FROM lake.db.t /*+ OPTIONS('scan.version' = '1') */";
    for (ParserInterface parser :
        List.of(ours(session, new OtherParser(sparks)), new OtherParser(ours(session, sparks)))) {
      assertThat(parser.parsePlan("POLISH TABLE x").toString()).contains("polished");
      assertThat(parser.parsePlan("POLISH TABLE t").toString()).contains("ours");
      assertThat(parser.parsePlan(hinted).toString()).contains("scan.version");
      assertThat(parser.parsePlan("SELECT 1").toString()).contains("Project");
      assertThatThrownBy(() -> parser.parsePlan("POLISH 1")).isInstanceOf(ParseException.class);
    }
  }

  private static ParserInterface ours(SparkSession session, ParserInterface below) {
    return new KeylakeParser(session, below, List.of(new Polish()), new FlinkDialect(), List.of());
  }

  /** A statement of ours with the words of another extension's. */
  private static final class Polish implements OwnStatement {
    @Override
    public Set<String> firstWords() {
      return Set.of("POLISH");
    }

    @Override
    public Optional<LogicalPlan> parse(TokenCursor cursor, StatementScope scope)
        throws ParseException {
      if (!cursor.accept("POLISH", "TABLE")
          || !cursor.name().equals(List.of("t"))
          || !cursor.atEnd()) {
        return Optional.empty();
      }
      return Optional.of(scope.plan("SELECT 'ours'"));
    }
  }

  /** Another extension: it knows one statement on all tables but ours and asks below for others. */
  private static final class OtherParser extends ForwardingParser {
    OtherParser(ParserInterface below) {
      super(below);
    }

    @Override
    public LogicalPlan parsePlan(String sqlText) throws ParseException {
      return sqlText.startsWith("POLISH TABLE x")
          ? below().parsePlan("SELECT 'polished'")
          : below().parsePlan(sqlText);
    }
  }
}
