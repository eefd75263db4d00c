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

package io.keylake.table.difference;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.table.difference.DifferenceFile.Place;
import io.keylake.table.lsm.KeyCuts;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is read to tell two states of a primary-key table apart.
 *
 * <ol>
 *   <li>A file that both states share takes part when its key range meets that of a file that
 *       differs: only keys of the latter can have changed.
 *   <li>Files whose key ranges form one connected range are compared together; such a range that is
 *       larger than the target is cut by key where its files allow it ({@link KeyCuts}). A range
 *       without a file that differs is left out.
 *   <li>Sequence numbers need no comparison when in both states those of each run are greater than
 *       those of all runs behind it and there are no user sequence fields.
 * </ol>
 *
 * <p>Example: both states share [1,100] and [101,200] on level 5, the later one has [40,60] on
 * level 0: the split has [40,60] and [1,100].
 */
final class KeyedDifferences {
  private static final Comparator<RankedFile> NEWEST_FIRST =
      Comparator.comparingInt(RankedFile::runRank);

  private final KeyComparator keys;
  private final MergeOptions merge;
  private final KeyCuts cuts;

  KeyedDifferences(KeyComparator keys, MergeOptions merge, long targetBytes) {
    this.keys = keys;
    this.merge = merge;
    this.cuts = new KeyCuts(keys, targetBytes);
  }

  /** All files; ranks of several buckets of a state follow one another. */
  List<DifferenceFile> files(
      List<BucketFiles> before, List<BucketFiles> after, FileAddresses addresses) {
    FilePairs pairs = new FilePairs(addresses);
    forEachFile(before, pairs::addBefore);
    forEachFile(after, pairs::addAfter);
    return pairs.files();
  }

  /** Takes a file with the place of its run in the order newest first. */
  private interface RankedFiles {
    void add(BucketFiles bucket, DataFile file, int runRank);
  }

  private void forEachFile(List<BucketFiles> buckets, RankedFiles action) {
    int firstRank = 0;
    for (BucketFiles bucket : buckets) {
      Levels levels = Levels.of(bucket.files(), keys);
      for (int rank = 0; rank < levels.runs().size(); rank++) {
        for (DataFile file : levels.runs().get(rank).files()) {
          action.add(bucket, file, firstRank + rank);
        }
      }
      firstRank += levels.runs().size();
    }
  }

  List<DifferenceSplit> splits(BucketFiles bucket, List<DifferenceFile> files) {
    List<DifferenceSplit> splits = new ArrayList<>();
    for (List<DifferenceFile> connected : connected(needed(byKey(files)))) {
      splits.addAll(cut(bucket, connected));
    }
    return splits;
  }

  private List<DifferenceFile> byKey(List<DifferenceFile> files) {
    List<DifferenceFile> sorted = new ArrayList<>(files);
    sorted.sort(
        Comparator.comparing((DifferenceFile file) -> file.file().minKey(), keys)
            .thenComparing(file -> file.file().maxKey(), keys)
            .thenComparing(DifferenceFile::path));
    return sorted;
  }

  /** The files that differ, and those that share a range of keys with one of them. */
  private List<DifferenceFile> needed(List<DifferenceFile> sorted) {
    List<KeyBounds> touched = new ArrayList<>();
    for (DifferenceFile file : sorted) {
      if (!file.isShared()) {
        KeyBounds last = touched.isEmpty() ? null : touched.get(touched.size() - 1);
        if (last != null && keys.compare(file.file().minKey(), last.max) <= 0) {
          last.max = larger(last.max, file.file().maxKey());
        } else {
          touched.add(new KeyBounds(file.file().minKey(), file.file().maxKey()));
        }
      }
    }
    return sorted.stream().filter(file -> !file.isShared() || meets(touched, file.file())).toList();
  }

  /** Whether a file meets one of the ranges, which ascend and do not meet each other. */
  private boolean meets(List<KeyBounds> ranges, DataFile file) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compare(ranges.get(middle).max, file.minKey()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < ranges.size() && keys.compare(ranges.get(low).min, file.maxKey()) <= 0;
  }

  private BinaryRow larger(BinaryRow one, BinaryRow other) {
    return keys.compare(one, other) >= 0 ? one : other;
  }

  private List<List<DifferenceFile>> connected(List<DifferenceFile> sorted) {
    List<List<DifferenceFile>> all = new ArrayList<>();
    List<DifferenceFile> current = new ArrayList<>();
    BinaryRow largest = BinaryRow.EMPTY;
    for (DifferenceFile file : sorted) {
      if (!current.isEmpty() && keys.compare(file.file().minKey(), largest) > 0) {
        all.add(current);
        current = new ArrayList<>();
      }
      BinaryRow max = file.file().maxKey();
      largest = current.isEmpty() ? max : larger(largest, max);
      current.add(file);
    }
    all.add(current);
    return all;
  }

  private List<DifferenceSplit> cut(BucketFiles bucket, List<DifferenceFile> files) {
    List<RankedFile> ranked = ranked(files);
    List<KeyRange> ranges = cuts.ranges(ranked);
    List<DifferenceSplit> splits = new ArrayList<>();
    for (KeyRange range : ranges) {
      List<DifferenceFile> own = files.stream().filter(f -> cuts.meets(f.file(), range)).toList();
      if (own.stream().allMatch(DifferenceFile::isShared)) {
        continue;
      }
      double size = 0;
      for (DifferenceFile file : own) {
        long shares = ranges.stream().filter(other -> cuts.meets(file.file(), other)).count();
        size += (double) file.file().size() / shares;
      }
      boolean compares =
          comparesSequence(own, DifferenceFile::before)
              || comparesSequence(own, DifferenceFile::after);
      splits.add(
          new DifferenceSplit(
              bucket.partition(), bucket.bucket(), range, compares, own, Math.round(size)));
    }
    return splits;
  }

  /** The files with the number of the runs that they are in, in one state or both. */
  private static List<RankedFile> ranked(List<DifferenceFile> files) {
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    List<RankedFile> ranked = new ArrayList<>();
    for (DifferenceFile file : files) {
      List<Integer> runs = List.of(rank(file.before()), rank(file.after()));
      int number = numbers.computeIfAbsent(runs, any -> numbers.size());
      ranked.add(new RankedFile(file.file(), number));
    }
    return ranked;
  }

  private static int rank(@Nullable Place place) {
    return place == null ? -1 : place.runRank();
  }

  private boolean comparesSequence(
      List<DifferenceFile> files, Function<DifferenceFile, @Nullable Place> side) {
    if (!merge.sequenceFields().isEmpty()) {
      return true;
    }
    List<RankedFile> newestFirst = new ArrayList<>();
    for (DifferenceFile file : files) {
      Place place = side.apply(file);
      if (place != null) {
        newestFirst.add(new RankedFile(file.file(), place.runRank()));
      }
    }
    newestFirst.sort(NEWEST_FIRST);
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

  /** A range of keys, both ends included. */
  private static final class KeyBounds {
    private final BinaryRow min;
    private BinaryRow max;

    KeyBounds(BinaryRow min, BinaryRow max) {
      this.min = min;
      this.max = max;
    }
  }
}
