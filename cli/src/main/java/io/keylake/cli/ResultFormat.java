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

package io.keylake.cli;

import java.util.Arrays;
import java.util.Locale;

/** How rows are printed. */
enum ResultFormat {
  /** One row a line, values separated by tabs, {@code \N} for NULL. */
  TSV(new TsvPrinter()),
  /** One JSON object a line, in canonical text. */
  JSON(new JsonPrinter()),
  /** Columns lined up below their names, for reading. */
  TABLE(new TablePrinter());

  private final RowPrinter printer;

  ResultFormat(RowPrinter printer) {
    this.printer = printer;
  }

  /** The printer of this format. */
  RowPrinter printer() {
    return printer;
  }

  /**
   * The format of this name, in any letter case.
   *
   * @throws UsageException when there is none
   */
  static ResultFormat named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () -> new UsageException("Unknown format " + name + ". Use tsv, json or table."));
  }
}
