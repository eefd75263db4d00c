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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The files of a bucket cut where no key range crosses: no key occurs in two sections, so each is
 * read and merged by itself.
 *
 * <p>Files are sorted by smallest key, then largest key; a section ends where the next smallest key
 * is greater than every largest key so far. Example: ranges [1,5] [3,8] [9,9] make the sections
 * {[1,5], [3,8]} and {[9,9]}; [1,5] [5,8] are one section.
 *
 * <p>Rule source: table behaviour, executing a compaction; pinned by {@code LevelsTest}.
 */
public final class Sections {
  private Sections() {}

  /**
   * A file with the place of its run.
   *
   * @param file the file
   * @param runRank position of its run in {@link Levels#runs}: 0 is the newest
   */
  public record RankedFile(DataFile file, int runRank) {}

  /**
   * One section.
   *
   * @param files ordered by smallest key, then largest key, then rank
   */
  public record Section(List<RankedFile> files) {
    /** Copies the list. */
    public Section {
      files = List.copyOf(files);
    }

    /** Whether all files are of one run, so that no key occurs twice. */
    public boolean isSingleRun() {
      return files.stream().mapToInt(RankedFile::runRank).distinct().count() <= 1;
    }
  }

  /** The sections of a bucket, by key. */
  public static List<Section> of(Levels levels, KeyComparator keys) {
    List<RankedFile> files = new ArrayList<>();
    for (int rank = 0; rank < levels.runs().size(); rank++) {
      for (DataFile file : levels.runs().get(rank).files()) {
        files.add(new RankedFile(file, rank));
      }
    }
    files.sort(
        Comparator.comparing((RankedFile file) -> file.file().minKey(), keys)
            .thenComparing(file -> file.file().maxKey(), keys)
            .thenComparingInt(RankedFile::runRank));
    return cut(files, keys);
  }

  private static List<Section> cut(List<RankedFile> files, KeyComparator keys) {
    List<Section> sections = new ArrayList<>();
    List<RankedFile> current = new ArrayList<>();
    BinaryRow largest = BinaryRow.EMPTY;
    for (RankedFile file : files) {
      if (!current.isEmpty() && keys.compare(file.file().minKey(), largest) > 0) {
        sections.add(new Section(current));
        current.clear();
      }
      BinaryRow maxKey = file.file().maxKey();
      largest = current.isEmpty() || keys.compare(maxKey, largest) > 0 ? maxKey : largest;
      current.add(file);
    }
    if (!current.isEmpty()) {
      sections.add(new Section(current));
    }
    return sections;
  }
}
