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
import io.keylake.format.row.KeyComparator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The sorted runs of one bucket, newest first.
 *
 * <ol>
 *   <li>Every file of level 0 is a run of its own, ordered by largest sequence number descending,
 *       then smallest sequence number, creation time and name ascending.
 *   <li>Each level from 1 on is one run; lower levels are newer. Files of such a level should not
 *       overlap; if another writer left some that do, they are spread over several runs, so that
 *       reading them stays right.
 * </ol>
 *
 * <p>Rule source: table behaviour, LSM shape; pinned by {@code LevelsTest}.
 *
 * @param runs newest first
 */
public record Levels(List<SortedRun> runs) {
  private static final Comparator<DataFile> LEVEL_ZERO_ORDER =
      Comparator.comparingLong(DataFile::maxSequenceNumber)
          .reversed()
          .thenComparingLong(DataFile::minSequenceNumber)
          .thenComparing(
              DataFile::creationTimeMillis, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(DataFile::name);

  /** Copies the list. */
  public Levels {
    runs = List.copyOf(runs);
  }

  /** The levels of a bucket's live files. */
  public static Levels of(Collection<DataFile> files, KeyComparator keys) {
    List<SortedRun> runs = new ArrayList<>();
    files.stream()
        .filter(file -> file.level() == 0)
        .sorted(LEVEL_ZERO_ORDER)
        .forEach(file -> runs.add(new SortedRun(0, List.of(file))));
    TreeMap<Integer, List<DataFile>> higher = new TreeMap<>();
    for (DataFile file : files) {
      if (file.level() != 0) {
        higher.computeIfAbsent(file.level(), level -> new ArrayList<>()).add(file);
      }
    }
    higher.forEach((level, members) -> runs.addAll(runsOf(level, members, keys)));
    return new Levels(runs);
  }

  private static List<SortedRun> runsOf(int level, List<DataFile> files, KeyComparator keys) {
    files.sort(Comparator.comparing(DataFile::minKey, keys).thenComparing(DataFile::maxKey, keys));
    List<List<DataFile>> runs = new ArrayList<>();
    for (DataFile file : files) {
      List<DataFile> fitting = null;
      for (List<DataFile> run : runs) {
        if (keys.compare(run.get(run.size() - 1).maxKey(), file.minKey()) < 0) {
          fitting = run;
          break;
        }
      }
      if (fitting == null) {
        fitting = new ArrayList<>();
        runs.add(fitting);
      }
      fitting.add(file);
    }
    return runs.stream().map(run -> new SortedRun(level, run)).toList();
  }

  /** The highest level that holds a file; 0 when there is none. */
  public int highestLevel() {
    return runs.stream().mapToInt(SortedRun::level).max().orElse(0);
  }
}
