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

import static io.keylake.spark.testing.SharedSpark.sortedText;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;

/** Fails a test whose table the reference implementation finds fault with or reads otherwise. */
final class SameAsReference {
  private SameAsReference() {}

  /** Checks the newest snapshot of {@code lake.db.table}, row by row. */
  static void check(SharedSpark spark, Path warehouse, String table) throws Exception {
    SoundTable.check(warehouse.resolve("db.db").resolve(table));
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", table);
    assertThat(reference.problems()).as("problems that the reference finds").isEmpty();
    assertThat(reference.rows())
        .as("rows of the reference")
        .isEqualTo(sortedText(spark.sql("SELECT * FROM lake.db." + table)));
  }
}
