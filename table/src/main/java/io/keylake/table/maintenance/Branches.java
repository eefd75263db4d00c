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
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Makes, renames, removes and publishes branches of a table.
 *
 * <ol>
 *   <li>A branch name is not {@code main}, not blank, and not only digits; ours moreover can be
 *       written after {@code $branch_} and is the name of a folder.
 *   <li>A new branch holds the schemas up to the newest; a branch from a tag holds the tag, its
 *       snapshot, and the schemas up to the snapshot's. There are no hint files.
 *   <li>Removing a branch removes its folder; data files that only it used are left to the removal
 *       of orphan files.
 *   <li>Fast-forward makes a branch the main history: from the branch's oldest snapshot on, main's
 *       snapshots, long-lived changelogs and tags give way to the branch's, and so do its schemas.
 *       Snapshots that both have stay where they are, so that main is never without one. Data files
 *       of main's own later snapshots are left to the removal of orphan files.
 * </ol>
 *
 * <p>Rule source: table format, branches. Pinned by {@code BranchesTest}.
 */
public final class Branches {
  private static final String FORBIDDEN = "/\\:$`";
  private static final int MAX_LENGTH = 200;

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
    main.io().renameFolder(folder(from), folder(to), main.layout().schemaFolder().name());
  }

  /**
   * Checks that there is such a branch.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is none
   */
  public void check(String branch) {
    checkExists(branch);
  }

  /** Removes a branch. */
  public void delete(String branch) {
    checkExists(branch);
    main.io().deleteFolder(folder(branch));
  }

  /**
   * What a fast-forward does.
   *
   * @param from id of main's newest snapshot before it; 0 = there was none
   * @param to id of main's newest snapshot after it
   * @param dropped number of main's snapshots that give way
   * @param published number of snapshots that main gets
   * @param tags names of main's tags that go
   */
  public record FastForward(long from, long to, int dropped, int published, List<String> tags) {
    /** Copies the list. */
    public FastForward {
      tags = List.copyOf(tags);
    }
  }

  /** The snapshots of a fast-forward: what goes from main, and what comes. */
  private record Change(long first, List<Snapshot> going, List<Snapshot> coming, long last) {}

  /**
   * What {@link #fastForward} would do now.
   *
   * @throws InvalidRequestException as that would
   */
  public FastForward planFastForward(String branch) {
    Change change = change(branch);
    Set<String> kept = new HashSet<>(main.onBranch(branch).tags().names());
    List<String> tags = new ArrayList<>();
    for (Tag tag : main.tags().all()) {
      if (tag.snapshot().id() >= change.first() && !kept.contains(tag.name())) {
        tags.add(tag.name());
      }
    }
    return new FastForward(
        main.snapshots().latestId().orElse(0),
        change.last(),
        change.going().size(),
        change.coming().size(),
        tags);
  }

  private Change change(String branch) {
    checkExists(branch);
    List<Snapshot> theirs = main.onBranch(branch).snapshots().all();
    if (theirs.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Branch '"
              + branch
              + "' of table "
              + main.name()
              + " has no snapshot to go forward to. Write into the branch first.");
    }
    long first = theirs.get(0).id();
    List<Snapshot> all = main.snapshots().all();
    List<Snapshot> ours = all.stream().filter(snapshot -> snapshot.id() >= first).toList();
    int common = 0;
    while (common < Math.min(ours.size(), theirs.size())
        && ours.get(common).equals(theirs.get(common))) {
      common++;
    }
    if (common == 0 && ours.size() < all.size()) {
      throw noCommonVersion(branch, first);
    }
    return new Change(
        first,
        ours.subList(common, ours.size()),
        theirs.subList(common, theirs.size()),
        theirs.get(theirs.size() - 1).id());
  }

  /** Expiry relies on each version being made of the one before. */
  private InvalidRequestException noCommonVersion(String branch, long first) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "Branch '"
            + branch
            + "' of table "
            + main.name()
            + " and its main history have no version in common any more: the branch begins with"
            + " snapshot "
            + first
            + ", and main has other ones before it. Write the branch's rows into the table with"
            + " INSERT OVERWRITE.");
  }

  /**
   * Makes a branch the main history. A run that stops in between leaves a readable table at an
   * earlier version, and can be repeated.
   *
   * @throws InvalidRequestException KEYLAKE_REFERENCE_NOT_FOUND when there is no such branch,
   *     KEYLAKE_INVALID_REQUEST when it has no snapshot, or none in common with main though main
   *     has older ones
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when somebody writes meanwhile
   */
  public FastForward fastForward(String branch) {
    FastForward planned = planFastForward(branch);
    Change change = change(branch);
    TableStorage source = main.onBranch(branch);
    SnapshotStore target = main.snapshots();
    target.deleteLatestHint();
    List<Snapshot> going = new ArrayList<>(change.going());
    Collections.reverse(going);
    going.forEach(snapshot -> target.delete(snapshot.id()));
    main.changelogs().deleteAfter(change.first() - 1);
    planned.tags().forEach(main.tags()::delete);
    replaceSchemas(source);
    source.tags().all().forEach(main.tags()::write);
    for (Snapshot snapshot : change.coming()) {
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
    target.writeLatestHint(change.last());
    return planned;
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
    boolean plain =
        branch.equals(branch.strip())
            && branch.length() <= MAX_LENGTH
            && !branch.startsWith(".")
            && branch.chars().allMatch(c -> c >= ' ' && c != 0x7f && FORBIDDEN.indexOf(c) < 0);
    if (branch.isBlank() || branch.equals(TableLayout.MAIN_BRANCH) || digits || !plain) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "'"
              + branch
              + "' cannot name a branch of table "
              + main.name()
              + ": a name is not 'main', not blank, not only digits, does not start with a dot,"
              + " and has up to "
              + MAX_LENGTH
              + " characters without / \\ : $ ` and control characters.");
    }
    if (main.branches().exists(branch)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_ALREADY_EXISTS,
          "Table " + main.name() + " has a branch '" + branch + "' already. Choose another name.");
    }
  }
}
