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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our tables beside Spark's own in the session catalog. */
final class SessionCatalogSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void open() {
    spark = SharedSpark.inSessionCatalog(warehouse);
    spark.run("CREATE DATABASE IF NOT EXISTS both", "USE both");
  }

  /** Spark's part of the catalog is shared by all sessions of this JVM. */
  @AfterEach
  void dropDatabase() {
    spark.run("USE default", "DROP DATABASE both CASCADE");
  }

  @Test
  void bothKindsOfTablesLiveInOneNamespace() {
    spark.run(
        "CREATE TABLE ours (id INT, PRIMARY KEY (id) NOT ENFORCED) USING keylake"
            + " TBLPROPERTIES ('bucket'='1')",
        "CREATE TABLE theirs (id INT) USING parquet",
        "INSERT INTO ours VALUES (1), (1)",
        "INSERT INTO theirs VALUES (1), (1)");

    assertThat(spark.rows("SHOW TABLES IN both"))
        .containsExactlyInAnyOrder("both,ours,false", "both,theirs,false");
    assertThat(spark.rows("SELECT count(*) FROM ours")).containsExactly("1");
    assertThat(spark.rows("SELECT count(*) FROM theirs")).containsExactly("2");
    assertThat(warehouse.resolve("both.db/ours/schema/schema-0")).exists();
    spark.run("ALTER TABLE ours RENAME TO mine", "DROP TABLE mine", "DROP TABLE theirs");
    assertThat(spark.rows("SHOW TABLES IN both")).isEmpty();
  }

  @Test
  void queriesMakeAndReplaceTablesOfEitherKind() {
    spark.run(
        "CREATE TABLE ours USING keylake AS SELECT id FROM range(3)",
        "CREATE OR REPLACE TABLE ours USING keylake AS SELECT id FROM range(5)",
        "CREATE TABLE theirs USING parquet AS SELECT id FROM ours");

    assertThat(spark.rows("SELECT count(*) FROM ours")).containsExactly("5");
    assertThat(spark.rows("SELECT count(*) FROM theirs")).containsExactly("5");
    assertThat(spark.rows("SELECT count(*) FROM ours VERSION AS OF 1")).containsExactly("3");
    assertThatThrownBy(() -> spark.run("CREATE TABLE theirs (id INT) USING keylake"))
        .hasMessageContaining("ALREADY_EXISTS");
    assertThatThrownBy(
            () -> spark.run("CREATE OR REPLACE TABLE theirs USING keylake AS SELECT 1 AS id"))
        .hasMessageContaining("theirs");
  }

  @Test
  void proceduresAndMetadataTablesAreReachable() {
    spark.run(
        "CREATE TABLE ours USING keylake AS SELECT 1 AS id",
        "CALL spark_catalog.sys.create_tag(table => 'both.ours', tag => 'x')");

    assertThat(spark.rows("SELECT tag_name FROM both.`ours$tags`")).containsExactly("x");
  }
}
