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

package io.keylake.architecture;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import org.junit.jupiter.api.Test;

/** Statistics of a column hold binary rows, so the packages of the two give a known dependency. */
final class ImportOrderTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importClasses(BinaryRow.class, ColumnStats.class);

  @Test
  void laterPackagesUseEarlierOnes() {
    assertThatCode(
            () ->
                ImportOrder.of("io.keylake.format")
                    .then("types")
                    .then("row")
                    .then("stats")
                    .rule()
                    .check(CLASSES))
        .doesNotThrowAnyException();
  }

  @Test
  void earlierPackagesMayNotUseLaterOnes() {
    assertThatThrownBy(
            () ->
                ImportOrder.of("io.keylake.format")
                    .then("types")
                    .then("stats")
                    .then("row")
                    .rule()
                    .check(CLASSES))
        .hasMessageContaining("io.keylake.format.stats may not use io.keylake.format.row");
  }

  @Test
  void packagesOfOneStepDoNotKnowEachOther() {
    assertThatThrownBy(
            () ->
                ImportOrder.of("io.keylake.format")
                    .then("types")
                    .then("stats", "row")
                    .rule()
                    .check(CLASSES))
        .hasMessageContaining("io.keylake.format.stats may not use io.keylake.format.row");
  }

  @Test
  void packagesWithoutPlaceAreRefused() {
    assertThatThrownBy(() -> ImportOrder.of("io.keylake.format").then("row").rule().check(CLASSES))
        .hasMessageContaining("without a place in the import order");
  }
}
