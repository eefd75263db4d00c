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

package io.keylake.table.compaction;

import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.lsm.Levels;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.List;
import java.util.Optional;

/** Compactions of the buckets of a primary-key table, by its options at one time. */
final class KeyedCompaction implements BucketCompaction {
  private final KeyComparator keys;
  private final FileAddresses addresses;
  private final UniversalCompaction picker;
  private final MoveRules moves;
  private final CompactionSteps steps;

  KeyedCompaction(
      TableSchema schema,
      TableOptions options,
      FileAddresses addresses,
      CompactionRules rules,
      ExpiredRows expired) {
    this.keys = KeyComparator.of(schema.keyType());
    this.addresses = addresses;
    this.picker = new UniversalCompaction(rules);
    this.moves = new MoveRules(options, expired);
    long smallBytes = options.compaction().smallFiles().bytes(options.dataFile().targetFileBytes());
    this.steps = new CompactionSteps(keys, smallBytes, moves);
  }

  @Override
  public Optional<CompactionPlan> minor(BucketFiles bucket) {
    Levels levels = Levels.of(bucket.files(), keys);
    return picker.pick(levels).flatMap(pick -> plan(pick, levels, bucket));
  }

  @Override
  public Optional<CompactionPlan> full(BucketFiles bucket) {
    Levels levels = Levels.of(bucket.files(), keys);
    boolean isOnTop =
        levels.runs().size() == 1 && levels.runs().get(0).level() == picker.top(levels.runs());
    return isOnTop
        ? onTop(levels, bucket)
        : picker.full(levels).flatMap(pick -> plan(pick, levels, bucket));
  }

  private Optional<CompactionPlan> plan(CompactionPick pick, Levels levels, BucketFiles bucket) {
    BucketInputs inputs = new BucketInputs(bucket, addresses);
    return plan(inputs, pick.outputLevel(), steps.of(pick, levels, inputs));
  }

  private Optional<CompactionPlan> onTop(Levels levels, BucketFiles bucket) {
    BucketInputs inputs = new BucketInputs(bucket, addresses);
    List<CompactionStep> found =
        steps.onTop(levels, inputs, file -> inputs.hasVector(file) || moves.isWorthRewriting(file));
    return plan(inputs, levels.highestLevel(), found);
  }

  private static Optional<CompactionPlan> plan(
      BucketInputs inputs, int outputLevel, List<CompactionStep> steps) {
    return steps.isEmpty() ? Optional.empty() : Optional.of(inputs.plan(outputLevel, steps));
  }
}
