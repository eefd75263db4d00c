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

import java.io.PrintStream;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * One row a line, values separated by tabs. NULL is {@code \N}; tab, newline, carriage return and
 * backslash inside a value are escaped by a backslash.
 */
final class TsvPrinter implements RowPrinter {
  @Override
  public Dataset<Row> prepare(Dataset<Row> result) {
    return CellText.of(result);
  }

  @Override
  public void print(
      Iterator<InternalRow> rows, StructType prepared, StructType result, PrintStream out) {
    StringBuilder line = new StringBuilder();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      line.setLength(0);
      for (int i = 0; i < prepared.length(); i++) {
        if (i > 0) {
          line.append('\t');
        }
        if (row.isNullAt(i)) {
          line.append("\\N");
        } else {
          appendEscaped(line, row.getUTF8String(i).toString());
        }
      }
      out.println(line);
    }
  }

  private static void appendEscaped(StringBuilder line, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\t' -> line.append("\\t");
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\\' -> line.append("\\\\");
        default -> line.append(c);
      }
    }
  }
}
