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

package io.keylake.spark.file.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;

class ParquetKeysTest {
  private static ParquetSettings settings(Map<String, String> options) {
    TableSchema schema =
        TestRows.schema(
            List.of(DataField.of(0, "a", DataTypes.INT)), List.of(), List.of(), options);
    return ParquetKeys.settings(TableOptions.of(schema).dataFile(), 0);
  }

  @Test
  void zstdOfLevelOneIsTheDefault() {
    assertThat(settings(Map.of())).isEqualTo(ParquetSettings.DEFAULT);
    assertThat(ParquetSettings.DEFAULT.codec()).isEqualTo(CompressionCodecName.ZSTD);
    assertThat(ParquetSettings.DEFAULT.codecLevel()).isEqualTo(1);
  }

  @Test
  void settingsOfTheTableAndOfTheLibraryApply() {
    ParquetSettings settings =
        settings(
            Map.of(
                "file.compression", "snappy",
                "file.block-size", "16 mb",
                "parquet.page.size", "65536",
                "parquet.enable.dictionary#a", "false",
                "parquet.bloom.filter.enabled#a", "true",
                "parquet.bloom.filter.expected.ndv#a", "1000"));
    assertThat(settings.codec()).isEqualTo(CompressionCodecName.SNAPPY);
    assertThat(settings.rowGroupBytes()).isEqualTo(16L << 20);
    assertThat(settings.pageBytes()).isEqualTo(65536);
    assertThat(settings.dictionaries().of("a")).isFalse();
    assertThat(settings.dictionaries().of("b")).isTrue();
    assertThat(settings.bloomFilters().of("a").distinctValues()).isEqualTo(1000);
    assertThat(settings.bloomFilters().of("a").maxBytes()).isPositive();
    assertThat(settings.bloomFilters().of("b").maxBytes()).isZero();
  }

  @Test
  void settingsThatCannotBeCarriedOutAreRefusedByName() {
    assertThatThrownBy(() -> settings(Map.of("parquet.writer.version", "PARQUET_2_0")))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("'parquet.writer.version' = 'PARQUET_2_0'");
    assertThatThrownBy(() -> settings(Map.of("file.compression", "lzo")))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("lzo");
  }

  @Test
  void valuesAreChecked() {
    assertThatThrownBy(() -> settings(Map.of("parquet.page.size", "0")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("parquet.page.size");
    assertThatThrownBy(() -> settings(Map.of("parquet.bloom.filter.fpp", "2")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("between 0 and 1");
  }
}
