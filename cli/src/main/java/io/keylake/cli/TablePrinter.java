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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * Columns lined up below their names, numbers to the right. The widths come from the first rows; a
 * later, wider value pushes the rest of its line to the right.
 */
final class TablePrinter implements RowPrinter {
  private static final int ROWS_MEASURED = 1000;

  @Override
  public Dataset<Row> prepare(Dataset<Row> result) {
    return CellText.of(result);
  }

  @Override
  public void print(
      Iterator<InternalRow> rows, StructType prepared, StructType result, PrintStream out) {
    String[] names = result.fieldNames();
    int[] widths = Arrays.stream(names).mapToInt(TablePrinter::width).toArray();
    List<String[]> measured = new ArrayList<>();
    while (rows.hasNext() && measured.size() < ROWS_MEASURED) {
      String[] cells = cells(rows.next(), names.length);
      for (int i = 0; i < cells.length; i++) {
        widths[i] = Math.max(widths[i], width(cells[i]));
      }
      measured.add(cells);
    }
    boolean[] numeric = new boolean[names.length];
    for (int i = 0; i < numeric.length; i++) {
      numeric[i] = result.fields()[i].dataType() instanceof NumericType;
    }
    String[] rules = Arrays.stream(widths).mapToObj("-"::repeat).toArray(String[]::new);
    printLine(names, widths, new boolean[names.length], out);
    printLine(rules, widths, new boolean[names.length], out);
    measured.forEach(cells -> printLine(cells, widths, numeric, out));
    long count = measured.size();
    while (rows.hasNext()) {
      printLine(cells(rows.next(), names.length), widths, numeric, out);
      count++;
    }
    out.println(count == 1 ? "(1 row)" : "(" + count + " rows)");
  }

  private static String[] cells(InternalRow row, int columns) {
    String[] cells = new String[columns];
    for (int i = 0; i < columns; i++) {
      cells[i] =
          row.isNullAt(i)
              ? "NULL"
              : row.getUTF8String(i)
                  .toString()
                  .replace("\\", "\\\\")
                  .replace("\n", "\\n")
                  .replace("\r", "\\r")
                  .replace("\t", "\\t");
    }
    return cells;
  }

  private static void printLine(
      String[] cells, int[] widths, boolean[] alignRight, PrintStream out) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String padding = " ".repeat(Math.max(0, widths[i] - width(cells[i])));
      line.append(i == 0 ? "" : "  ");
      line.append(alignRight[i] ? padding + cells[i] : cells[i] + padding);
    }
    out.println(line.toString().stripTrailing());
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
