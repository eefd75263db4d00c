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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code help} shows of procedures can be called as it is written. */
final class ProcedureExamplesSparkTest {
  @TempDir private Path warehouse;

  @Test
  void exampleOfEveryProcedureBinds() {
    SharedSpark spark = SharedSpark.over(warehouse);
    List<String> names =
        spark.sql("CALL lake.sys.help()").collectAsList().stream()
            .map(row -> row.getString(0))
            .distinct()
            .toList();
    assertThat(names).contains("compact", "rollback", "help").doesNotHaveDuplicates();
    for (String name : names) {
      List<String> examples =
          spark.sql("CALL lake.sys.help(procedure => '" + name + "')").collectAsList().stream()
              .filter(row -> row.getString(1).equals("example"))
              .map(row -> row.getString(row.length() - 1))
              .toList();
      assertThat(examples).as(name).hasSize(1);
      String example = examples.get(0);
      assertThat(example).startsWith("CALL lake.sys." + name + "(");
      List<Row> plan = spark.sql("EXPLAIN " + example).collectAsList();
      assertThat(plan.get(0).getString(0)).as(example).contains(name).doesNotContain("Error");
    }
    assertThat(spark.rows("SHOW TABLES IN lake.db")).isEmpty();
  }
}
