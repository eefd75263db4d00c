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

package io.keylake.table;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.BucketStates;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.SequenceRebase;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.OptionChanges;
import io.keylake.table.options.support.ReadSupport;
import io.keylake.table.options.support.WriteSupport;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlan;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.scan.TimeTravel;
import java.time.Clock;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One table as one statement sees it: its storage seen through a branch, a schema, the stored
 * options with those of the statement over them, and, once pinned, the snapshot that is read.
 * Immutable: every change gives a new handle. Safe for use by many threads, nothing to close.
 *
 * <p>A statement pins its handle once and hands that one to all its scans and to its commit.
 */
public final class LakeTable {
  private static final String BRANCH = "branch";

  private final TableStorage storage;
  private final TableSchema schema;
  private final Map<String, String> overrides;
  private final Pin pin;

  /**
   * Which snapshot is read.
   *
   * @param state whether that is settled
   * @param snapshot the snapshot; null = a table without snapshots, or not settled
   */
  private record Pin(State state, @Nullable Snapshot snapshot) {
    enum State {
      OPEN,
      SETTLED
    }

    static final Pin NONE = new Pin(State.OPEN, null);
  }

  private LakeTable(
      TableStorage storage, TableSchema schema, Map<String, String> overrides, Pin pin) {
    this.storage = storage;
    this.schema = schema;
    this.overrides = Map.copyOf(overrides);
    this.pin = pin;
  }

  /**
   * The table at {@code root}, empty when there is none.
   *
   * @param name as users know it, for messages
   */
  public static Optional<LakeTable> find(String name, FileIO io, Location root) {
    return find(TableStorage.of(name, io, TableLayout.of(root)));
  }

  /** The table in {@code storage}, with its newest schema; empty when there is none. */
  public static Optional<LakeTable> find(TableStorage storage) {
    return storage
        .schemas()
        .latest()
        .map(schema -> new LakeTable(storage, schema, Map.of(), Pin.NONE));
  }

  /**
   * The table at {@code root}, which must exist.
   *
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST when there is none
   */
  public static LakeTable load(String name, FileIO io, Location root) {
    return find(name, io, root)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    Condition.KEYLAKE_INVALID_REQUEST,
                    "There is no table " + name + " at " + root + ". Check the path."));
  }

  /**
   * Makes a new table at {@code root} by publishing its first schema.
   *
   * @param definition the schema with id 0, its field ids assigned
   * @throws InvalidRequestException when an option is wrong, or KEYLAKE_INVALID_REQUEST when there
   *     is a table already
   * @throws io.keylake.format.errors.UnsupportedTableException when an option is not supported
   */
  public static LakeTable create(String name, FileIO io, Location root, TableSchema definition) {
    WriteSupport.checkDefinition(definition, name);
    TableStorage storage = TableStorage.of(name, io, TableLayout.of(root));
    boolean exists =
        storage.schemas().latestId().isPresent()
            || storage.schemas().publish(definition) == FileIO.Publication.LOST;
    if (exists) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Table " + name + " exists already at " + root + ". Use another name, or drop it first.");
    }
    return new LakeTable(storage, definition, Map.of(), Pin.NONE);
  }

  /** The table's name, for messages. */
  public String name() {
    return storage.name();
  }

  /** Its metadata files. */
  public TableStorage storage() {
    return storage;
  }

  /** The schema that rows are read and written with. */
  public TableSchema schema() {
    return schema;
  }

  /** The stored options with those of the statement over them. */
  public TableOptions options() {
    return TableOptions.of(schema, overrides);
  }

  /** The options of the statement alone. */
  public Map<String, String> overrides() {
    return overrides;
  }

  /** The branch that is read and written. */
  public String branch() {
    return storage.layout().branch();
  }

  /** How its rows are spread over buckets. */
  public BucketMode bucketMode() {
    return BucketMode.of(schema);
  }

  /** Where its data and index files are. */
  public FileAddresses addresses() {
    return FileAddresses.of(storage.layout(), schema, options().fileLayout());
  }

  /**
   * The same table with options of a statement or a session; {@code branch} chooses the branch.
   *
   * @throws InvalidRequestException KEYLAKE_IMMUTABLE_OPTION when an option belongs to the table,
   *     or KEYLAKE_REFERENCE_NOT_FOUND when there is no such branch
   */
  public LakeTable withOptions(Map<String, String> more) {
    String branch = more.get(BRANCH);
    LakeTable table = branch == null || branch.equals(branch()) ? this : onBranch(branch);
    OptionChanges.checkOverrides(table.schema, more, name());
    Map<String, String> all = new HashMap<>(table.overrides);
    all.putAll(more);
    return new LakeTable(table.storage, table.schema, all, table.pin);
  }

  /** The same table seen through a branch, unpinned, with that branch's newest schema. */
  public LakeTable onBranch(String branch) {
    TableStorage other = storage.onBranch(branch);
    TableSchema newest =
        other
            .schemas()
            .latest()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        Condition.KEYLAKE_REFERENCE_NOT_FOUND,
                        "Table "
                            + name()
                            + " has no branch '"
                            + branch
                            + "'. Its branches: "
                            + storage.branches().all().stream()
                                .map(BranchStore.Branch::name)
                                .toList()
                            + "."));
    return new LakeTable(other, newest, overrides, Pin.NONE);
  }

  /** The same table read and written with another of its schemas. */
  public LakeTable withSchema(TableSchema other) {
    return new LakeTable(storage, other, overrides, pin);
  }

  /** The same table with the newest schema and no pin. */
  public LakeTable refreshed() {
    return new LakeTable(storage, storage.schemas().latest().orElse(schema), overrides, Pin.NONE);
  }

  /**
   * The same table with its snapshot settled: the one that time-travel options choose, read with
   * the schema of its time, or else the newest. Nothing happens when it is settled already.
   *
   * @param zone of timestamps in text form
   */
  public LakeTable pinned(ZoneId zone) {
    if (pin.state() == Pin.State.SETTLED) {
      return this;
    }
    var choice = options().timeTravel();
    Optional<Snapshot> snapshot = timeTravel().choose(choice, zone);
    return choice.isLatest() || snapshot.isEmpty()
        ? new LakeTable(
            storage, schema, overrides, new Pin(Pin.State.SETTLED, snapshot.orElse(null)))
        : at(snapshot.get());
  }

  /** The same table settled on a snapshot, read with the schema of its time. */
  public LakeTable at(Snapshot snapshot) {
    TableSchema then = storage.schemas().load(snapshot.schemaId());
    return new LakeTable(storage, then, overrides, new Pin(Pin.State.SETTLED, snapshot));
  }

  /** Whether the snapshot is settled. */
  public boolean isPinned() {
    return pin.state() == Pin.State.SETTLED;
  }

  /**
   * The snapshot that is read: the settled one, or else the newest now; empty when the table has
   * none.
   */
  public Optional<Snapshot> snapshot() {
    return isPinned() ? Optional.ofNullable(pin.snapshot()) : storage.snapshots().latest();
  }

  /** Chooses among the versions of the table. */
  public TimeTravel timeTravel() {
    return new TimeTravel(storage);
  }

  /**
   * Plans scans.
   *
   * @throws io.keylake.format.errors.UnsupportedTableException when rows would be misread
   */
  public ScanPlanner planner() {
    TableOptions options = options();
    ReadSupport.check(schema, name());
    return new ScanPlanner(storage, schema, options);
  }

  /** The files that a query of {@link #snapshot()} needs. */
  public ScanPlan plan(ScanFilter filter) {
    ScanPlanner planner = planner();
    return snapshot().map(found -> planner.plan(found, filter)).orElseGet(ScanPlan::empty);
  }

  /** Plans compactions, by the time of {@code clock}. */
  public CompactionPlanner compactionPlanner(Clock clock) {
    return new CompactionPlanner(schema, options(), addresses(), clock);
  }

  /** What a writer has to know of buckets as of {@link #snapshot()}. */
  public BucketStates bucketStates() {
    return BucketStates.shared(storage, snapshot().orElse(null));
  }

  /**
   * Commits into the table; where another writer has written the same keys meanwhile, it fails.
   *
   * @throws io.keylake.format.errors.UnsupportedTableException when the table cannot be written
   */
  public TableCommitter committer(CommitEnvironment environment) {
    return new TableCommitter(commitTable(), environment);
  }

  /** Commits into the table, giving rows new sequence numbers where that is needed. */
  public TableCommitter committer(CommitEnvironment environment, SequenceRebase rebase) {
    return new TableCommitter(commitTable(), environment, rebase);
  }

  private CommitTable commitTable() {
    return new CommitTable(storage, schema, options());
  }

  /** A new user for a batch job. */
  public String newCommitUser(Ids ids) {
    return CommitKeys.USER_PREFIX
        .find(options().asMap())
        .map(prefix -> prefix + "_" + ids.next())
        .orElseGet(ids::next);
  }

  @Override
  public String toString() {
    return name() + (storage.layout().isMainBranch() ? "" : "$branch_" + branch());
  }
}
