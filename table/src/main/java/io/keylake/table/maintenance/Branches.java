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

package io.keylake.table.maintenance;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes, renames, removes and publishes branches of a table.
 *
 * <ol>
 *   <li>A branch name is not {@code main}, not blank, and not only digits.
 *   <li>A new branch holds the schemas up to the newest; a branch from a tag holds the tag, its
 *       snapshot, and the schemas up to the snapshot's. There are no hint files.
 *   <li>Removing a branch removes its folder; data files that only it used are left to the removal
 *       of orphan files.
 *   <li>Fast-forward makes a branch the main history: from the branch's oldest snapshot on, main's
 *       snapshots and tags give way to the branch's, and so do its schemas.
 * </ol>
 *
 * <p>Rule source: table format, branches. Pinned by {@code BranchesTest}.
 */
public final class Branches {
  private final TableStorage main;

  /** The branches of the table, whatever branch {@code storage} is seen through. */
  public Branches(TableStorage storage) {
    this.main = storage.onBranch(TableLayout.MAIN_BRANCH);
  }

  /**
   * Makes a branch without snapshots.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST when the name is not allowed,
   *     KEYLAKE_REFERENCE_ALREADY_EXISTS when there is such a branch
   */
  public void create(String branch) {
    checkNew(branch);
    copySchemas(main, main.onBranch(branch), Long.MAX_VALUE);
  }

  /**
   * Makes a branch that starts with a tag of the main branch.
   *
   * @throws InvalidRequestException as above, or KEYLAKE_REFERENCE_NOT_FOUND when there is no such
   *     tag
   */
  public void createFromTag(String branch, String tagName) {
    checkNew(branch);
    Tag tag = main.tags().load(tagName);
    TableStorage target = main.onBranch(branch);
    target.tags().write(tag);
    target.snapshots().publish(tag.snapshot());
    copySchemas(main, target, tag.snapshot().schemaId());
  }

  /** Gives a branch another name. */
  public void rename(String from, String to) {
    checkExists(from);
    checkNew(to);
    main.io().renameFolder(folder(from), folder(to));
  }

  /** Removes a branch. */
  public void delete(String branch) {
    checkExists(branch);
    main.io().deleteFolder(folder(branch));
  }

  /**
   * Makes a branch the main history. A run that stops in between leaves a readable table at an
   * earlier version, and can be repeated.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is no such branch,
   *     KEYLAKE_INVALID_REQUEST when it has no snapshot
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when somebody writes meanwhile
   */
  public void fastForward(String branch) {
    checkExists(branch);
    TableStorage source = main.onBranch(branch);
    List<Snapshot> snapshots = source.snapshots().all();
    if (snapshots.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Branch '"
              + branch
              + "' of table "
              + main.name()
              + " has no snapshot to go forward to. Write into the branch first.");
    }
    long first = snapshots.get(0).id();
    dropFrom(first);
    replaceSchemas(source);
    source.tags().all().forEach(main.tags()::write);
    SnapshotStore target = main.snapshots();
    for (Snapshot snapshot : snapshots) {
      if (target.publish(snapshot) == FileIO.Publication.LOST) {
        throw new CommitConflictException(
            Condition.KEYLAKE_CONCURRENT_MODIFICATION,
            "Table "
                + main.name()
                + " was written while branch '"
                + branch
                + "' was made its main history. Stop its writers and run the statement again.");
      }
    }
    target.writeLatestHint(snapshots.get(snapshots.size() - 1).id());
  }

  /** Takes away main's snapshots and tags from an id on, newest first. */
  private void dropFrom(long first) {
    SnapshotStore target = main.snapshots();
    target.deleteLatestHint();
    List<Long> ids = new ArrayList<>(target.ids());
    Collections.reverse(ids);
    for (long id : ids) {
      if (id >= first) {
        main.io().delete(target.file(id));
      }
    }
    for (Tag tag : main.tags().all()) {
      if (tag.snapshot().id() >= first) {
        main.tags().delete(tag.name());
      }
    }
  }

  /** Gives main the branch's schemas; those that only main had go last. */
  private void replaceSchemas(TableStorage source) {
    OptionalLong newest = source.schemas().latestId();
    for (long id : source.schemas().ids()) {
      byte[] content = main.io().read(source.layout().schema(id));
      main.io().overwrite(main.layout().schema(id), content);
    }
    for (long id : main.schemas().ids()) {
      if (id > newest.orElse(Long.MAX_VALUE)) {
        main.io().delete(main.layout().schema(id));
      }
    }
  }

  /** The schemas go last: a branch without schemas does not exist. */
  private static void copySchemas(TableStorage source, TableStorage target, long last) {
    SchemaStore schemas = source.schemas();
    for (long id : schemas.ids()) {
      if (id <= last) {
        target.schemas().publish(schemas.load(id));
      }
    }
  }

  private Location folder(String branch) {
    return main.onBranch(branch).layout().branchFolder();
  }

  private void checkExists(String branch) {
    if (!main.branches().exists(branch)) {
      List<String> names = main.branches().all().stream().map(BranchStore.Branch::name).toList();
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Table " + main.name() + " has no branch '" + branch + "'. Its branches: " + names + ".");
    }
  }

  private void checkNew(String branch) {
    boolean digits = branch.chars().allMatch(c -> c >= '0' && c <= '9');
    if (branch.isBlank() || branch.equals(TableLayout.MAIN_BRANCH) || digits) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "'"
              + branch
              + "' cannot name a branch of table "
              + main.name()
              + ": a name is not 'main', not blank and not only digits.");
    }
    if (main.branches().exists(branch)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS,
          "Table " + main.name() + " has a branch '" + branch + "' already. Choose another name.");
    }
  }
}
