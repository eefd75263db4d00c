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

import io.keylake.golden.GoldenTables;
import io.keylake.reference.ReferenceTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nanoseconds that other engines stored are never cut: what would write them again is refused. */
final class FineTimestampsSparkTest {
  @TempDir private Path warehouse;
  private SharedSpark spark;

  @BeforeEach
  void startSpark() throws Exception {
    spark = SharedSpark.over(warehouse);
    Files.createDirectories(warehouse.resolve("db.db"));
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of(warehouse.toString(), "db", table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prec_parquet", "prec_orc"})
  void rowsWithNanosecondsAreNotWrittenAgain(String table) throws Exception {
    GoldenTables.unpack(table, warehouse.resolve("db.db"));
    List<String> rows = reference(table).rows();
    spark.run("INSERT INTO " + table + " (k) VALUES (100)");
    for (String statement :
        List.of(
            "UPDATE $T SET d1 = 0 WHERE k = 1",
            "DELETE FROM $T WHERE k = 1",
            "MERGE INTO $T t USING (SELECT 1 AS k) s ON t.k = s.k WHEN MATCHED THEN UPDATE SET d1 ="
                + " 0",
            "INSERT INTO $T REPLACE WHERE k = 1 SELECT * FROM $T WHERE k = 1",
            "CALL lake.sys.compact(table => '$T')",
            "CALL lake.sys.compact(table => '$T', order_strategy => 'zorder', order_by => 'k')",
            "CALL lake.sys.copy(source_table => '$T', target_table => 'c', where => 'k = 1')")) {
      String text = statement.replace("$T", table);
      assertThatThrownBy(() -> spark.rows(text))
          .as(text)
          .hasStackTraceContaining("[KEYLAKE_UNSUPPORTED_TYPE]")
          .hasStackTraceContaining("nanoseconds");
    }
    spark.run(
        "CALL lake.sys.compact_manifest(table => '" + table + "')",
        "ALTER TABLE " + table + " SET TBLPROPERTIES ('file-index.bitmap.columns' = 'k')",
        "CALL lake.sys.rewrite_file_index(table => '" + table + "')",
        "CALL lake.sys.copy(source_table => '" + table + "', target_table => 'whole')");
    assertThat(reference(table).rows()).hasSize(rows.size() + 1).containsAll(rows);
    assertThat(reference("whole").rows()).hasSize(rows.size() + 1).containsAll(rows);
    assertThat(reference(table).problems()).isEmpty();
  }
}
