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

package io.keylake.table.scan;

import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.ScanOptions.Visibility;
import io.keylake.table.options.TableOptions;

/**
 * Which files of a snapshot a batch scan sees.
 *
 * <ol>
 *   <li>{@code committed}: every file, those of bucket -2 too, where other engines have staged
 *       rows.
 *   <li>{@code compacted}, the view of other engines: bucket -2 is not seen, nor is level 0 of
 *       primary-key tables with deletion vectors or engine first-row.
 * </ol>
 *
 * <p>Rule source: table behaviour, visible levels; pinned by {@code ScanPlannerTest}.
 *
 * @param minLevel the lowest level that is seen
 * @param staged what becomes of files in bucket -2
 */
record VisibleFiles(int minLevel, Staged staged) {
  /** What becomes of staged rows. */
  enum Staged {
    SEEN,
    HIDDEN
  }

  /** Every file of the buckets, of any level; staged rows are left alone. */
  static final VisibleFiles OF_BUCKETS = new VisibleFiles(0, Staged.HIDDEN);

  static VisibleFiles of(TableSchema schema, TableOptions options) {
    boolean hidesLevelZero =
        options.scan().visibility() == Visibility.COMPACTED && isUnmerged(schema, options);
    return new VisibleFiles(
        hidesLevelZero ? 1 : 0,
        options.scan().staged() == Visibility.COMMITTED ? Staged.SEEN : Staged.HIDDEN);
  }

  /** Whether files above level 0 of this table are never merged with one another. */
  static boolean isUnmerged(TableSchema schema, TableOptions options) {
    MergeOptions merge = options.merge();
    return schema.hasPrimaryKey()
        && (merge.deletionVectors() || merge.engine() == MergeOptions.Engine.FIRST_ROW);
  }

  boolean seesLevel(int level) {
    return level >= minLevel;
  }

  boolean seesBucket(int bucket) {
    return bucket >= 0 || staged == Staged.SEEN;
  }

  boolean anyUpToLevel(int level) {
    return level >= minLevel;
  }

  boolean anyUpToBucket(int bucket) {
    return seesBucket(bucket);
  }
}
