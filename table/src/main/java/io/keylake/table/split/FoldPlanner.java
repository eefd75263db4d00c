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

package io.keylake.table.split;

import io.keylake.format.row.KeyComparator;
import io.keylake.table.lsm.KeyCuts;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.lsm.Sections.Section;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the splits of sections whose rows are folded. Immutable.
 *
 * <ol>
 *   <li>Every file of the section takes part, whatever its statistics say of wanted values: a value
 *       that no file has may come out.
 *   <li>A section larger than the target is cut by key where its files allow it ({@link KeyCuts}).
 *   <li>Sequence numbers need no comparison when those of each run are greater than those of all
 *       runs behind it and there are no user sequence fields.
 * </ol>
 *
 * <p>Rule source: table behaviour, filter push-down; pinned by {@code SplitPlannerTest} and {@code
 * SplitPlannerModelTest}.
 */
final class FoldPlanner {
  private final MergeRules rules;
  private final KeyComparator keys;
  private final FileAddresses addresses;

  FoldPlanner(MergeRules rules, KeyComparator keys, FileAddresses addresses) {
    this.rules = rules;
    this.keys = keys;
    this.addresses = addresses;
  }

  /** Whether rows of different files of the section have to be folded. */
  boolean folds(Section section) {
    boolean vectorsTell =
        rules.aboveLevelZero() == MergeRules.AboveLevelZero.DISJOINT
            && section.files().stream().allMatch(file -> file.file().level() > 0);
    return rules.merging() == MergeRules.Merging.COMPUTED && !section.isSingleRun() && !vectorsTell;
  }

  /** The splits of a section, by key. */
  List<FoldSplit> splits(BucketFiles bucket, Section section, long targetBytes) {
    KeyCuts cuts = new KeyCuts(keys, targetBytes);
    List<KeyRange> ranges = cuts.ranges(section.files());
    List<RankedFile> newestFirst = new ArrayList<>(section.files());
    newestFirst.sort(Comparator.comparingInt(RankedFile::runRank));
    List<FoldSplit> splits = new ArrayList<>();
    for (KeyRange range : ranges) {
      List<RankedFile> files =
          newestFirst.stream().filter(file -> cuts.meets(file.file(), range)).toList();
      double size = 0;
      for (RankedFile file : files) {
        long shares = ranges.stream().filter(other -> cuts.meets(file.file(), other)).count();
        size += (double) file.file().size() / shares;
      }
      splits.add(
          new FoldSplit(
              bucket.partition(),
              bucket.bucket(),
              range,
              comparesSequence(files),
              files.stream().map(file -> file(bucket, file)).toList(),
              Math.round(size)));
    }
    return splits;
  }

  private FoldFile file(BucketFiles bucket, RankedFile ranked) {
    return new FoldFile(
        addresses.dataFile(bucket.partition(), bucket.bucket(), ranked.file()).path(),
        ranked.file().withoutStats(),
        ranked.runRank(),
        StoredVector.of(bucket.vectors().get(ranked.file().name())));
  }

  private boolean comparesSequence(List<RankedFile> newestFirst) {
    if (rules.order() == MergeRules.VersionOrder.USER_SEQUENCE) {
      return true;
    }
    long oldestOfNewer = Long.MAX_VALUE;
    long oldestOfRun = Long.MAX_VALUE;
    int rank = -1;
    for (RankedFile file : newestFirst) {
      if (file.runRank() != rank) {
        rank = file.runRank();
        oldestOfNewer = Math.min(oldestOfNewer, oldestOfRun);
        oldestOfRun = Long.MAX_VALUE;
      }
      if (file.file().maxSequenceNumber() >= oldestOfNewer) {
        return true;
      }
      oldestOfRun = Math.min(oldestOfRun, file.file().minSequenceNumber());
    }
    return false;
  }
}
