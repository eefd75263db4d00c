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

package io.keylake.table.expiry;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.PathEscape;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The folders in which every file belongs to the table's versions, as pieces of work that can be
 * listed apart from each other.
 *
 * <ol>
 *   <li>Manifests, index files and statistics: every file.
 *   <li>Snapshots and changelogs of all branches: temporary files of writers only.
 *   <li>Buckets, below exactly as many partition folders as there are partition columns: every
 *       file. What lies beside buckets is not ours.
 *   <li>External places are not looked into: they may be other tables' places, too.
 * </ol>
 *
 * <p>Rule source: table format, orphan cleaning.
 */
public final class ManagedFolders {
  /** What counts in a folder. */
  private enum Content {
    FILES,
    TEMPORARY_FILES,
    /** Buckets, or the partition folders above them. */
    BUCKETS
  }

  /** A folder to list: for use on any machine. */
  public static final class Place implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Location folder;
    private final Content content;
    private final ArrayList<String> partitionsBelow;

    private Place(Location folder, Content content, List<String> partitionsBelow) {
      this.folder = folder;
      this.content = content;
      this.partitionsBelow = new ArrayList<>(partitionsBelow);
    }

    /** Gives each file that counts. A listing that fails is a failure. */
    public void forEachFile(FileIO io, Consumer<FileStatus> consumer) {
      if (content == Content.BUCKETS) {
        for (FileStatus child : io.list(folder)) {
          if (child.isDirectory() && isBelow(child.location().name())) {
            below(child.location()).forEachFile(io, consumer);
          }
        }
        return;
      }
      io.list(folder).stream()
          .filter(file -> !file.isDirectory())
          .filter(file -> content == Content.FILES || isTemporary(file.location().name()))
          .forEach(consumer);
    }

    private boolean isBelow(String name) {
      return name.startsWith(
          partitionsBelow.isEmpty()
              ? TableLayout.BUCKET_PREFIX
              : PathEscape.escape(partitionsBelow.get(0)) + "=");
    }

    private Place below(Location child) {
      return partitionsBelow.isEmpty()
          ? new Place(child, Content.FILES, List.of())
          : new Place(child, Content.BUCKETS, partitionsBelow.subList(1, partitionsBelow.size()));
    }

    private Stream<Place> split(FileIO io) {
      return content == Content.BUCKETS
          ? io.list(folder).stream()
              .filter(child -> child.isDirectory() && isBelow(child.location().name()))
              .map(child -> below(child.location()))
          : Stream.of(this);
    }

    private static boolean isTemporary(String name) {
      return name.startsWith(".") && name.endsWith(".tmp");
    }

    @Override
    public String toString() {
      return folder.path();
    }
  }

  private ManagedFolders() {}

  /**
   * The table's folders. Those of partitions are split as long as there are fewer than {@code
   * wanted}, so that as many tasks have something to do.
   */
  public static List<Place> of(HistoryTable table, int wanted) {
    FileIO io = table.storage().io();
    List<Place> buckets =
        List.of(new Place(table.dataFolder(), Content.BUCKETS, table.schema().partitionKeys()));
    for (int level = 0; level <= table.schema().partitionKeys().size(); level++) {
      if (buckets.size() < wanted) {
        buckets = buckets.stream().flatMap(place -> place.split(io)).toList();
      }
    }
    TableStorage main = table.storage().onBranch(TableLayout.MAIN_BRANCH);
    List<Place> places = new ArrayList<>(buckets);
    for (Location folder :
        List.of(
            main.layout().manifestFolder(),
            main.layout().indexFolder(),
            main.layout().statisticsFolder())) {
      places.add(new Place(folder, Content.FILES, List.of()));
    }
    List<TableStorage> branches = new ArrayList<>(KeptVersions.branches(main));
    branches.add(main);
    for (TableStorage branch : branches) {
      places.add(new Place(branch.layout().snapshotFolder(), Content.TEMPORARY_FILES, List.of()));
      places.add(new Place(branch.layout().changelogFolder(), Content.TEMPORARY_FILES, List.of()));
    }
    return places;
  }
}
