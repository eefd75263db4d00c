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

package io.keylake.spark.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetSlowColumnsTest {
  private static final int EPOCH_JULIAN_DAY = 2_440_588;

  @TempDir private Path folder;

  private static ExampleParquetWriter.Builder deltaEncoded(ExampleParquetWriter.Builder builder) {
    return builder
        .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_2_0)
        .withDictionaryEncoding(false)
        .withRowGroupRowCountLimit(50)
        .withPageRowCountLimit(20)
        .withMinRowCountForPageSizeCheck(20);
  }

  @Test
  void deltaEncodedTextsAreReadAcrossPagesAndRowGroups() throws IOException {
    List<DataField> fields =
        List.of(DataField.of(1, "n", DataTypes.BIGINT), DataField.of(2, "s", DataTypes.STRING));
    List<Consumer<Group>> rows = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (long n = 0; n < 130; n++) {
      long number = n;
      String text = n % 6 == 0 ? null : "prefix " + n;
      rows.add(
          row -> {
            row.add("n", number);
            if (text != null) {
              row.add("s", text);
            }
          });
      expected.add("{\"n\":" + n + ",\"s\":" + (text == null ? "null" : "\"" + text + "\"") + "}");
    }
    ParquetTestFile file =
        new ParquetTestFile(
                folder,
                fields,
                "message m { required int64 n; optional binary s (STRING); }",
                ParquetSlowColumnsTest::deltaEncoded)
            .write(rows);

    assertThat(file.read(fields, null, Map.of())).isEqualTo(expected);
    assertThat(file.read(List.of(fields.get(1)), null, Map.of()))
        .hasSize(130)
        .contains("{\"s\":\"prefix 129\"}");
  }

  @Test
  void deltaEncodedTextsInsideStructsAreRefused() throws IOException {
    DataField text = DataField.of(2, "s", DataTypes.STRING);
    List<DataField> fields = List.of(DataField.of(1, "r", new RowType(List.of(text), true)));
    ParquetTestFile file =
        new ParquetTestFile(
                folder,
                fields,
                "message m { optional group r { optional binary s (STRING); } }",
                ParquetSlowColumnsTest::deltaEncoded)
            .write(row -> row.addGroup("r").add("s", "x"));

    assertThatThrownBy(() -> file.read(fields, null, Map.of()))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("Nested column r of file")
        .hasMessageContaining("parquet.writer.version");
  }

  @Test
  void fractionsOfMicrosecondsBeforeTheEpochAreFloored() throws IOException {
    List<DataField> fields = List.of(DataField.of(1, "t", DataTypes.timestamp(9)));
    ParquetTestFile file =
        new ParquetTestFile(folder, fields, "message m { optional int96 t; }", builder -> builder)
            .write(
                row -> row.add("t", new NanoTime(EPOCH_JULIAN_DAY, -999_995L)),
                row -> row.add("t", new NanoTime(EPOCH_JULIAN_DAY - 1, 1_999L)),
                row -> {});

    assertThat(file.read(fields, null, Map.of()))
        .containsExactly(
            "{\"t\":\"1969-12-31T23:59:59.999000000\"}",
            "{\"t\":\"1969-12-31T00:00:00.000001000\"}",
            "{\"t\":null}");
  }
}
