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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

final class RowPrinterTest {
  private static final StructType TEXTS = StructType.fromDDL("c0 STRING, c1 STRING");

  @Test
  void tsvEscapesWhatWouldBreakALine() {
    InternalRow row = texts("tab\there\nline\rback\\slash", null);

    assertThat(print(ResultFormat.TSV, TEXTS, List.of(row)))
        .isEqualTo("tab\\there\\nline\\rback\\\\slash\t\\N\n");
  }

  @Test
  void tsvKeepsEmptyTextApartFromNull() {
    assertThat(print(ResultFormat.TSV, TEXTS, List.of(texts("", null)))).isEqualTo("\t\\N\n");
  }

  @Test
  void jsonHasColumnsInOrder() {
    StructType columns = StructType.fromDDL("b INT, a STRING");
    InternalRow row = new GenericInternalRow(new Object[] {1, UTF8String.fromString("x\"y")});

    assertThat(print(ResultFormat.JSON, columns, List.of(row)))
        .isEqualTo("{\"b\":1,\"a\":\"x\\\"y\"}\n");
  }

  @Test
  void tableLinesUpColumnsAndNumbersToTheRight() {
    StructType columns = StructType.fromDDL("name STRING, n INT");

    String printed =
        print(ResultFormat.TABLE, columns, List.of(texts("ada", "7"), texts("bernard", "1234")));

    assertThat(printed.lines())
        .containsExactly(
            "name     n", "-------  ----", "ada         7", "bernard  1234", "(2 rows)");
  }

  @Test
  void tablePrintsRowsBeyondTheMeasuredOnes() {
    List<InternalRow> rows =
        java.util.stream.IntStream.range(0, 1200)
            .mapToObj(i -> texts(i < 1100 ? "a" : "much longer", null))
            .toList();

    String printed = print(ResultFormat.TABLE, TEXTS, rows);

    assertThat(printed.lines()).hasSize(1203).contains("much longer  NULL", "(1200 rows)");
  }

  private static InternalRow texts(String... values) {
    return new GenericInternalRow(
        Arrays.stream(values).map(UTF8String::fromString).toArray(Object[]::new));
  }

  private static String print(ResultFormat format, StructType columns, List<InternalRow> rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    format.printer().print(rows.iterator(), columns, columns, out);
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
