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

package io.keylake.table.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowNumbersTest {
  private static ManifestEntry entry(
      long rows, FileSource source, @Nullable List<String> columns, @Nullable Long firstRowId) {
    DataFile file =
        new DataFile(
            "f" + rows,
            1,
            rows,
            BinaryRow.EMPTY,
            BinaryRow.EMPTY,
            ColumnStats.EMPTY,
            ColumnStats.EMPTY,
            3,
            3 + rows,
            0,
            0,
            List.of(),
            null,
            0L,
            null,
            source,
            null,
            null,
            firstRowId,
            columns);
    return new ManifestEntry(EntryKind.ADD, BinaryRow.EMPTY, 0, -1, file);
  }

  private static String text(ManifestEntry entry) {
    DataFile file = entry.file();
    return file.firstRowId() + " " + file.minSequenceNumber() + ".." + file.maxSequenceNumber();
  }

  @Test
  void newFilesAreNumberedInOrder() {
    RowNumbers numbers =
        RowNumbers.of(
            List.of(
                entry(5, FileSource.APPEND, null, null), entry(2, FileSource.APPEND, null, null)),
            10,
            7);
    assertThat(numbers.added())
        .extracting(RowNumbersTest::text)
        .containsExactly("10 7..7", "15 7..7");
    assertThat(numbers.nextRowId()).isEqualTo(17);
  }

  @Test
  void filesThatStoreIdsTakeNone() {
    RowNumbers numbers =
        RowNumbers.of(
            List.of(entry(5, FileSource.APPEND, List.of("a", "_ROW_ID", "_SEQUENCE_NUMBER"), null)),
            10,
            7);
    assertThat(numbers.added()).extracting(RowNumbersTest::text).containsExactly("null 7..7");
    assertThat(numbers.nextRowId()).isEqualTo(10);
  }

  @Test
  void compactedAndNumberedFilesStayAsTheyAre() {
    RowNumbers numbers =
        RowNumbers.of(
            List.of(
                entry(5, FileSource.COMPACT, List.of("a", "_ROW_ID"), null),
                entry(4, FileSource.APPEND, null, 2L)),
            10,
            7);
    assertThat(numbers.added())
        .extracting(RowNumbersTest::text)
        .containsExactly("null 3..8", "2 3..7");
    assertThat(numbers.nextRowId()).isEqualTo(10);
  }
}
