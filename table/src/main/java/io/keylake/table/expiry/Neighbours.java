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

import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.expiry.KeptVersion.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The versions beside a range of expired ones that may need their files.
 *
 * <ol>
 *   <li>In one history a file is alive from the snapshot that adds it to the one before that which
 *       removes it. So of the branch's own tags those in the range count, and the newest below it.
 *   <li>Another branch shares the history up to where it left. A file that the range removes and
 *       the other branch still needs is in the oldest snapshot of that branch, or was added by one
 *       of its later snapshots, with a smaller id than that which removed it here; or is in one of
 *       its tags or changelogs.
 *   <li>A changelog that outlives its snapshot needs what its lists name.
 * </ol>
 *
 * <p>For one thread. Pinned by {@code ExpiryModelTest}.
 */
final class Neighbours {
  private final TableStorage storage;

  /** What is needed of a version. */
  private enum Extent {
    ALL,
    ADDED,
    LONG_LIVED
  }

  /** A version and what is needed of it. */
  private record Need(KeptVersion version, Extent extent) {}

  private final List<Need> asked = new ArrayList<>();

  Neighbours(TableStorage storage) {
    this.storage = storage;
  }

  /**
   * Takes away what neighbours of the range need. A second call asks only those that are new since
   * the first.
   */
  void subtract(Candidates candidates, IdRange range) {
    VersionNeeds needs = new VersionNeeds(storage, candidates);
    for (Need need : needs(range)) {
      boolean isNew = asked.stream().noneMatch(known -> known.version.isSameAs(need.version));
      if (isNew && !candidates.isEmpty()) {
        Snapshot snapshot = need.version.snapshot();
        switch (need.extent) {
          case ALL -> needs.keepVersion(snapshot);
          case ADDED -> needs.keepAdded(snapshot);
          case LONG_LIVED -> needs.keepLongLived(snapshot);
        }
      }
      if (isNew) {
        asked.add(need);
      }
    }
  }

  private List<Need> needs(IdRange range) {
    List<Need> needs = new ArrayList<>();
    tagsAround(range, needs);
    changelogsBefore(range, needs);
    TableStorage main = storage.onBranch(TableLayout.MAIN_BRANCH);
    List<TableStorage> branches = new ArrayList<>(KeptVersions.branches(main));
    branches.add(0, main);
    for (TableStorage branch : branches) {
      if (!branch.layout().branch().equals(storage.layout().branch())) {
        ofBranch(branch, range, needs);
      }
    }
    return needs;
  }

  private void tagsAround(IdRange range, List<Need> needs) {
    KeptVersion below = null;
    for (KeptVersion tag : KeptVersions.tags(storage)) {
      long id = tag.snapshot().id();
      if (id < range.first()) {
        below = tag;
      } else if (id < range.end()) {
        needs.add(new Need(tag, Extent.ALL));
      }
    }
    if (below != null) {
      needs.add(new Need(below, Extent.ALL));
    }
  }

  /**
   * Own changelogs share files with the range only where their base and delta lists outlive the
   * snapshot, which the oldest or the newest of them shows.
   */
  private void changelogsBefore(IdRange range, List<Need> needs) {
    List<KeptVersion> changelogs =
        KeptVersions.changelogs(storage).stream()
            .filter(changelog -> changelog.snapshot().id() < range.first())
            .toList();
    if (changelogs.isEmpty()) {
      return;
    }
    KeptVersion newest = changelogs.get(changelogs.size() - 1);
    if (hasDelta(changelogs.get(0)) || hasDelta(newest)) {
      changelogs.forEach(changelog -> needs.add(new Need(changelog, Extent.LONG_LIVED)));
    }
  }

  private boolean hasDelta(KeptVersion changelog) {
    String list = changelog.snapshot().deltaManifestList();
    return storage.io().exists(storage.layout().manifest(list));
  }

  private void ofBranch(TableStorage branch, IdRange range, List<Need> needs) {
    OptionalLong earliest = branch.snapshots().earliestId();
    if (earliest.isPresent()) {
      long latest = branch.snapshots().latestId().orElse(earliest.getAsLong());
      long last = Math.max(earliest.getAsLong(), Math.min(range.end() - 1, latest));
      Extent extent = Extent.ALL;
      IdRange shared = new IdRange(earliest.getAsLong(), last + 1);
      for (Snapshot snapshot : shared.read(branch.snapshots()::find)) {
        String name = Long.toString(snapshot.id());
        needs.add(
            new Need(
                new KeptVersion(branch.layout().branch(), Kind.SNAPSHOT, name, snapshot), extent));
        extent = Extent.ADDED;
      }
    }
    KeptVersions.changelogs(branch)
        .forEach(changelog -> needs.add(new Need(changelog, Extent.LONG_LIVED)));
    KeptVersions.tags(branch).forEach(tag -> needs.add(new Need(tag, Extent.ALL)));
  }
}
