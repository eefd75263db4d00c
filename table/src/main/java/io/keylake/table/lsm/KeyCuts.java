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

package io.keylake.table.lsm;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.table.lsm.Sections.RankedFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Cuts files that are merged with one another into ranges of keys that tasks merge side by side.
 * The ranges together have every key once. Immutable.
 *
 * <p>It is cut where no file crosses, and where files of one run begin: the run with the most
 * files, since these are about equally large. A file that crosses borders counts with equal shares
 * in each range. What has no such border, as runs of a single file each, stays whole.
 *
 * <p>Example: level 5 has [1,10] [11,20] [21,30], level 0 [5,25]: at most three ranges, of keys
 * below 11, 11 to 20, and from 21 on; the file of level 0 meets each.
 *
 * <p>Pinned by {@code RewriteSlicesTest}.
 */
public final class KeyCuts {
  private final KeyComparator keys;
  private final long targetBytes;

  /**
   * A cutter.
   *
   * @param targetBytes bytes of files that a range should have
   */
  public KeyCuts(KeyComparator keys, long targetBytes) {
    this.keys = keys;
    this.targetBytes = targetBytes;
  }

  /** The ranges, ascending; all keys in one when the files are no larger than the target. */
  public List<KeyRange> ranges(List<RankedFile> files) {
    if (files.stream().mapToLong(file -> file.file().size()).sum() <= targetBytes) {
      return List.of(KeyRange.ALL);
    }
    List<KeyRange> ranges = new ArrayList<>();
    BinaryRow from = null;
    for (BinaryRow to : chosen(files, borders(files))) {
      ranges.add(new KeyRange(from, to));
      from = to;
    }
    ranges.add(new KeyRange(from, null));
    return ranges;
  }

  /** Whether a file may have keys in a range. */
  public boolean meets(DataFile file, KeyRange range) {
    @Nullable BinaryRow from = range.from();
    @Nullable BinaryRow to = range.to();
    return (from == null || keys.compare(file.maxKey(), from) >= 0)
        && (to == null || keys.compare(file.minKey(), to) < 0);
  }

  /** The keys of two ranges; empty when they have none in common. */
  public Optional<KeyRange> common(KeyRange one, KeyRange other) {
    @Nullable BinaryRow from = larger(one.from(), other.from());
    @Nullable BinaryRow to = smaller(one.to(), other.to());
    return from != null && to != null && keys.compare(from, to) >= 0
        ? Optional.empty()
        : Optional.of(new KeyRange(from, to));
  }

  private @Nullable BinaryRow larger(@Nullable BinaryRow one, @Nullable BinaryRow other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return keys.compare(one, other) >= 0 ? one : other;
  }

  private @Nullable BinaryRow smaller(@Nullable BinaryRow one, @Nullable BinaryRow other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return keys.compare(one, other) <= 0 ? one : other;
  }

  /** Where the files may be cut, ascending: each but the first key of the range that follows. */
  private List<BinaryRow> borders(List<RankedFile> files) {
    Map<Integer, Integer> filesOfRuns = new HashMap<>();
    files.forEach(file -> filesOfRuns.merge(file.runRank(), 1, Integer::sum));
    int longest =
        filesOfRuns.entrySet().stream()
            .max(
                Map.Entry.<Integer, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .orElse(0);
    TreeSet<BinaryRow> borders = new TreeSet<>(keys);
    BinaryRow largest = null;
    for (RankedFile ranked :
        files.stream().sorted(Comparator.comparing(f -> f.file().minKey(), keys)).toList()) {
      DataFile file = ranked.file();
      boolean crossed = largest != null && keys.compare(file.minKey(), largest) <= 0;
      if (ranked.runRank() == longest || !crossed) {
        borders.add(file.minKey());
      }
      largest =
          largest == null || keys.compare(file.maxKey(), largest) > 0 ? file.maxKey() : largest;
    }
    borders.pollFirst();
    return List.copyOf(borders);
  }

  /** The borders at which about {@code targetBytes} of files have come together. */
  private List<BinaryRow> chosen(List<RankedFile> files, List<BinaryRow> borders) {
    List<BinaryRow> chosen = new ArrayList<>();
    double[] bytes = new double[borders.size() + 1];
    for (RankedFile ranked : files) {
      int first = piece(borders, ranked.file().minKey());
      int last = piece(borders, ranked.file().maxKey());
      for (int i = first; i <= last; i++) {
        bytes[i] += (double) ranked.file().size() / (last - first + 1);
      }
    }
    double rest = 0;
    for (double piece : bytes) {
      rest += piece;
    }
    double collected = 0;
    for (int i = 0; i < borders.size(); i++) {
      collected += bytes[i];
      rest -= bytes[i];
      if (collected >= targetBytes && rest >= targetBytes / 2.0) {
        chosen.add(borders.get(i));
        collected = 0;
      }
    }
    return chosen;
  }

  /** The piece that holds a key: number of borders that are not above it. */
  private int piece(List<BinaryRow> borders, BinaryRow key) {
    int low = 0;
    int high = borders.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compare(borders.get(middle), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
