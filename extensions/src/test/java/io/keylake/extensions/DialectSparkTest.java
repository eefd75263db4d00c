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

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DialectSparkTest {
  @TempDir static Path warehouse;

  private static SharedSpark spark;

  @BeforeAll
  static void start() {
    spark = SharedSpark.withRules(warehouse);
    spark.run("CREATE TABLE t (k INT NOT NULL, v STRING) TBLPROPERTIES ('primary-key' = 'k')");
  }

  @Test
  void alterTableSetSetsProperties() {
    spark.run("ALTER TABLE t SET ('snapshot.num-retained.max' = '30')");
    assertThat(spark.rows("SHOW TBLPROPERTIES t ('snapshot.num-retained.max')"))
        .containsExactly("snapshot.num-retained.max,30");
  }

  @Test
  void errorsPointAtTheUsersText() {
    assertThatThrownBy(() -> spark.run("ALTER TABLE t SET ('a' = '1')\n WHERE 1"))
        .hasMessageContaining("(line 2, pos 1)")
        .hasMessageNotContaining("TBLPROPERTIES");
  }
}
