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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.expiry.KeptVersion.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All versions of a table that are kept: snapshots, long-lived changelogs and tags of all branches.
 *
 * <p>They are listed in an order in which nothing is missed that others make of versions meanwhile:
 * a snapshot becomes a changelog or a tag before it expires, and a tag a branch, never the other
 * way round; so snapshots come first, then changelogs, then tags, and branches last.
 */
public final class KeptVersions {
  private KeptVersions() {}

  /**
   * The versions of all branches. A listing or a file that fails is a failure.
   *
   * @throws CorruptTableException when a version cannot be read, or a branch has no schema
   */
  public static List<KeptVersion> all(TableStorage storage) {
    TableStorage main = storage.onBranch(TableLayout.MAIN_BRANCH);
    List<KeptVersion> versions = new ArrayList<>(ofBranch(main));
    for (TableStorage branch : branches(main)) {
      versions.addAll(ofBranch(branch));
    }
    return versions;
  }

  /** The storage of all branches but the main one. */
  static List<TableStorage> branches(TableStorage storage) {
    List<TableStorage> branches = new ArrayList<>();
    for (BranchStore.Branch branch : storage.branches().all()) {
      TableStorage seen = storage.onBranch(branch.name());
      if (seen.schemas().latestId().isEmpty()) {
        throw new CorruptTableException(
            seen.layout().schemaFolder().path(),
            "Branch "
                + branch.name()
                + " has no schema, so it cannot be told which files it needs. Remove the branch, or"
                + " restore its schemas.",
            null);
      }
      branches.add(seen);
    }
    return branches;
  }

  /** The versions of one branch. */
  static List<KeptVersion> ofBranch(TableStorage storage) {
    String branch = storage.layout().branch();
    List<KeptVersion> versions = new ArrayList<>();
    for (Snapshot snapshot : storage.snapshots().all()) {
      versions.add(new KeptVersion(branch, Kind.SNAPSHOT, Long.toString(snapshot.id()), snapshot));
    }
    versions.addAll(changelogs(storage));
    versions.addAll(tags(storage));
    return versions;
  }

  /** The long-lived changelogs of one branch, by id. */
  static List<KeptVersion> changelogs(TableStorage storage) {
    String branch = storage.layout().branch();
    List<KeptVersion> versions = new ArrayList<>();
    ParallelReads.<Long, Optional<Snapshot>>forEach(
        storage.changelogs().ids(),
        id -> storage.changelogs().find(id),
        found ->
            found.ifPresent(
                changelog ->
                    versions.add(
                        new KeptVersion(
                            branch, Kind.CHANGELOG, Long.toString(changelog.id()), changelog))));
    return versions;
  }

  /** The tags of one branch, by snapshot. */
  static List<KeptVersion> tags(TableStorage storage) {
    String branch = storage.layout().branch();
    List<KeptVersion> versions = new ArrayList<>();
    for (Tag tag : storage.tags().all()) {
      versions.add(new KeptVersion(branch, Kind.TAG, tag.name(), tag.snapshot()));
    }
    return versions;
  }
}
