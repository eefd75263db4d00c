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

package io.keylake.spark.schema;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlanner;

/**
 * Whether compactions of a table may begin, or cease, to look keys up.
 *
 * <p>Where an engine computes rows, a row above level 0 is a part of its key's row as long as keys
 * are not looked up, and all of it where they are. A key that has rows on several levels above 0
 * would be read wrong after the change; so no bucket may have files on several such levels.
 *
 * <p>Example, sum: level 4 has (k=1, 2) and level 5 (k=1, 5), the row is (k=1, 7). With
 * changelog-producer = lookup it would be (k=1, 2).
 */
final class LookupModeChange {
  private LookupModeChange() {}

  /** Fails when the change would alter what is read. */
  static void check(TableStorage storage, TableSchema newest, TableSchema changed) {
    MergeOptions before = TableOptions.of(newest).merge();
    MergeOptions after = TableOptions.of(changed).merge();
    boolean isSafe =
        !newest.hasPrimaryKey()
            || !after.computesRows()
            || before.lookupMode() == after.lookupMode()
            || before.deletionVectors() != after.deletionVectors();
    if (isSafe) {
      return;
    }
    storage
        .snapshots()
        .latest()
        .map(
            snapshot ->
                new ScanPlanner(storage, newest, TableOptions.of(newest))
                    .ofEveryLevel()
                    .plan(snapshot, ScanFilter.NONE))
        .filter(plan -> plan.buckets().stream().anyMatch(LookupModeChange::hasManyLevels))
        .ifPresent(
            plan -> {
              throw refusal(storage.name(), after);
            });
  }

  private static boolean hasManyLevels(BucketFiles bucket) {
    return bucket.files().stream()
            .mapToInt(DataFile::level)
            .filter(level -> level > 0)
            .distinct()
            .count()
        > 1;
  }

  private static InvalidRequestException refusal(String table, MergeOptions after) {
    return new InvalidRequestException(
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "Cannot change option '"
            + EngineKeys.CHANGELOG_PRODUCER.name()
            + "' of table "
            + table
            + " to '"
            + EngineKeys.CHANGELOG_PRODUCER.print(after.changelogProducer())
            + "': its merge engine "
            + EngineKeys.MERGE_ENGINE.print(after.engine())
            + " computes rows, and keys have rows on several levels, which would be read in another"
            + " way. Compact the table fully first (compact_strategy => 'full'), then change the"
            + " option.");
  }
}
