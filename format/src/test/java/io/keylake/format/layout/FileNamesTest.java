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

package io.keylake.format.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {
  private final AtomicInteger counter = new AtomicInteger();

  private String id() {
    return "id" + counter.incrementAndGet();
  }

  @Test
  void dataAndChangelogFilesOfWriterShareOneCounter() {
    DataFileNames names = new DataFileNames(this::id);
    assertThat(names.next("changelog-", "parquet")).isEqualTo("changelog-id1-0.parquet");
    assertThat(names.next("data-", "zstd.parquet")).isEqualTo("data-id1-1.zstd.parquet");
    assertThat(DataFileNames.fileIndex("data-id1-1.parquet")).isEqualTo("data-id1-1.parquet.index");
  }

  @Test
  void postponedFilesCarryUserAndTask() {
    assertThat(DataFileNames.postponed("user", 7, this::id).next("data-", "avro"))
        .isEqualTo("data--u-user-s-7-w-id1-0.avro");
  }

  @Test
  void metadataFilesOfCommitShareOneIdAndCountApart() {
    MetadataFileNames names = new MetadataFileNames(this::id);
    assertThat(names.manifest()).isEqualTo("manifest-id1-0");
    assertThat(names.manifest()).isEqualTo("manifest-id1-1");
    assertThat(names.manifestList()).isEqualTo("manifest-list-id1-0");
    assertThat(names.indexManifest()).isEqualTo("index-manifest-id1-0");
    assertThat(names.index()).isEqualTo("index-id1-0");
    assertThat(names.statistics()).isEqualTo("stat-id1-0");
  }

  @ParameterizedTest
  @CsvSource({
    "data-u-0.parquet, parquet",
    "data-u-0.ORC, orc",
    "data-u-0.zstd.parquet, parquet",
    "data-u-0.csv.gz, csv",
    "data-u-0.json.zstd, json",
    "data-u-0.blob, blob",
    "data-u-0.zst, zst",
    "data-u-0, ''"
  })
  void formatIsInTheName(String name, String format) {
    assertThat(DataFileNames.formatOf(name)).isEqualTo(format);
  }
}
