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

package io.keylake.table.options;

import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a scan sees and how it is cut.
 *
 * @param visibility which rows are seen
 * @param staged whether rows in the postpone bucket are seen
 * @param splitTargetBytes size up to which files are packed into one split
 * @param splitOpenCostBytes bytes that opening a file counts for
 * @param fileIndexes whether file indexes are used
 * @param manifestThreads threads that read manifests; null = number of processors
 */
public record ScanOptions(
    Visibility visibility,
    Visibility staged,
    long splitTargetBytes,
    long splitOpenCostBytes,
    boolean fileIndexes,
    @Nullable Integer manifestThreads)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which rows of tables with deletion vectors, of first-row and of postpone tables are seen. */
  public enum Visibility {
    /** Every committed row. */
    COMMITTED,
    /** Only rows above level 0, none that are staged, as other engines do. */
    COMPACTED
  }

  static ScanOptions of(Map<String, String> values) {
    return new ScanOptions(
        visibility(values, ScanKeys.VECTORS_MERGE_ON_READ),
        visibility(values, ScanKeys.POSTPONE_MERGE_ON_READ),
        ScanKeys.SPLIT_TARGET_SIZE.read(values).bytes(),
        ScanKeys.SPLIT_OPEN_COST.read(values).bytes(),
        ScanKeys.FILE_INDEX_READ.read(values),
        ScanKeys.MANIFEST_PARALLELISM.find(values).orElse(null));
  }

  /** By {@code scan.visibility}, or else by what later versions of other engines go by. */
  private static Visibility visibility(Map<String, String> values, OptionKey<Boolean> mergeOnRead) {
    if (ScanKeys.VISIBILITY.isSet(values) || !mergeOnRead.isSet(values)) {
      return ScanKeys.VISIBILITY.read(values);
    }
    return mergeOnRead.read(values) ? Visibility.COMMITTED : Visibility.COMPACTED;
  }
}
