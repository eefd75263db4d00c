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

package io.keylake.format.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import io.keylake.golden.DataFiles;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class DataFileTest {
  private static String format(String name) {
    return DataFiles.named(name).build().formatIdentifier();
  }

  @Test
  void theExtensionNamesTheFormat() {
    assertThat(format("data-1-0.parquet")).isEqualTo("parquet");
    assertThat(format("data-1-0.zstd.parquet")).isEqualTo("parquet");
    assertThat(format("data-1-0.json.gz")).isEqualTo("json");
    assertThat(format("data.gz")).isEqualTo("gz");
  }

  @Test
  void anUnknownNumberOfDeletesMayBeSome() {
    DataFile unknown = DataFiles.named("a").deletes(null).build();

    assertThat(unknown.mayHoldDeletes()).isTrue();
    assertThat(unknown.withoutDeletes().mayHoldDeletes()).isFalse();
    assertThat(DataFiles.named("a").deletes(1L).build().mayHoldDeletes()).isTrue();
    assertThat(DataFiles.named("a").deletes(0L).build().mayHoldDeletes()).isFalse();
  }

  @Test
  void onlyStatisticsAreLeftOut() {
    ColumnStats stats =
        new ColumnStats(BinaryRow.wrap(1, new byte[16]), BinaryRow.EMPTY, Arrays.asList(1L));
    DataFile file = DataFiles.named("a").level(3).keyStats(stats).valueStats(stats).build();

    assertThat(file.withoutStats()).isEqualTo(DataFiles.named("a").level(3).build());
    assertThat(file.withLevel(5).level()).isEqualTo(5);
    assertThat(file.withLevel(5).withLevel(3)).isEqualTo(file);
  }
}
