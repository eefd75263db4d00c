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

package io.keylake.table.changes;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.changes.ChangeRules.Take;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one branch of a table, commit by commit. Planning a commit reads the manifests of
 * that commit only, and for a difference those of the touched partitions. For one thread.
 *
 * <ol>
 *   <li>A snapshot that has expired is looked for among the long-lived changelogs.
 *   <li>The changelog of a COMPACT snapshot belongs to the APPEND just before it, if the same user
 *       committed it under the same identifier.
 *   <li>Rows that wait in bucket -2 of a postpone table are no changes yet: they become changes
 *       when they are put into buckets.
 * </ol>
 *
 * <p>Rule source: table format, changelog and incremental reads; pinned by {@code ChangeLogTest}.
 */
public final class ChangeLog {
  private final TableStorage storage;
  private final TableSchema schema;
  private final FileAddresses addresses;
  private final EntryFilter filter;
  private final StateDifference differences;
  private final CommitTimes times;
  private final Map<Long, TableSchema> schemas = new LinkedHashMap<>();

  /**
   * The changes of a table.
   *
   * @param storage the table, seen through a branch
   * @param schema the schema that is read: the newest one
   * @param options the table's options with those of the query over them
   */
  public ChangeLog(TableStorage storage, TableSchema schema, TableOptions options) {
    this(storage, schema, options, EntryFilter.ALL);
  }

  /**
   * The changes of some buckets of a table.
   *
   * @param filter the wanted buckets; all levels must be wanted
   */
  public ChangeLog(
      TableStorage storage, TableSchema schema, TableOptions options, EntryFilter filter) {
    this.storage = storage;
    this.schema = schema;
    this.addresses = FileAddresses.of(storage.layout(), schema, options.fileLayout());
    this.filter = filter;
    this.differences = new StateDifference(storage, schema, options, addresses);
    this.times = new CommitTimes(this::find);
  }

  /** The oldest id whose changes may still be read; empty when there is none. */
  public OptionalLong earliestId() {
    return LongStream.concat(
            storage.changelogs().earliestId().stream(), storage.snapshots().earliestId().stream())
        .min();
  }

  /** The newest id; empty when there is none. */
  public OptionalLong latestId() {
    return storage.snapshots().latestId();
  }

  /** The snapshot of this id, expired or not, as long as its changes are kept. */
  public Optional<Snapshot> find(long id) {
    Optional<Snapshot> live = storage.snapshots().find(id);
    return live.isPresent() ? live : storage.changelogs().find(id);
  }

  /**
   * The snapshot of this id, expired or not, as long as its changes are kept.
   *
   * @throws InvalidRequestException with KEYLAKE_VERSION_NOT_FOUND that names the oldest version
   *     whose changes are kept
   */
  public Snapshot load(long id) {
    return find(id).orElseThrow(() -> notFound(id));
  }

  /** When a snapshot counts as committed; rises strictly. */
  public long timeMillis(Snapshot snapshot) {
    return times.of(snapshot);
  }

  /**
   * What the snapshot of this id delivers; empty when there is nothing that the rules want.
   *
   * @throws InvalidRequestException with KEYLAKE_VERSION_NOT_FOUND when it has expired
   */
  public Optional<CommitChanges> of(long snapshotId, ChangeRules rules) {
    return of(load(snapshotId), rules);
  }

  /** What a snapshot delivers; empty when there is nothing that the rules want. */
  public Optional<CommitChanges> of(Snapshot landed, ChangeRules rules) {
    ChangeRules then = rules.under(schemaOf(landed));
    Take take = then.of(landed);
    if (landed.commitKind() == CommitKind.COMPACT
        && take == Take.NOTHING
        && then.append() != Take.NOTHING
        && movesStaged(landed)) {
      take = Take.DIFFERENCE;
    }
    return switch (take) {
      case NOTHING -> Optional.empty();
      case CHANGELOG ->
          changes(landed, commitOf(landed), Source.CHANGELOG, stored(changelog(landed)));
      case ADDED_FILES -> addedFiles(landed, added(landed), rules);
      case DIFFERENCE -> difference(landed, rules);
    };
  }

  /**
   * The difference of two snapshots, as changes of the later one; empty when there is none.
   *
   * @param before null: the empty table
   */
  public Optional<CommitChanges> between(@Nullable Snapshot before, Snapshot after) {
    return changes(after, after, Source.DIFFERENCE, differences.between(before, after, filter));
  }

  /** What a snapshot delivers of another commit, which came before it. */
  Optional<CommitChanges> of(Snapshot landed, ChangeRules rules, long commit) {
    return commitOf(landed).id() == commit ? of(landed, rules) : Optional.empty();
  }

  private Optional<CommitChanges> changes(
      Snapshot landed, Snapshot commit, Source source, List<ChangedBucket> buckets) {
    return buckets.isEmpty()
        ? Optional.empty()
        : Optional.of(new CommitChanges(landed, commit, times.of(commit), source, buckets));
  }

  private Optional<CommitChanges> difference(Snapshot landed, ChangeRules rules) {
    StateDifference.Commit commit = commit(landed);
    if (isPureAppend(commit)) {
      return addedFiles(landed, commit.delta(), rules);
    }
    if (isExpired(commit)) {
      throw stateExpired(landed, rules);
    }
    TableOptions then = TableOptions.of(schemaOf(landed));
    return changes(
        landed,
        landed,
        Source.DIFFERENCE,
        differences.buckets(commit, filter, StateDifference.lowestDeliveredLevel(then)));
  }

  private Optional<CommitChanges> addedFiles(
      Snapshot landed, List<ManifestEntry> entries, ChangeRules rules) {
    List<ChangedBucket> buckets = stored(entries);
    if (!isKept(landed, buckets)) {
      throw stateExpired(landed, rules);
    }
    return changes(landed, landed, Source.ADDED_FILES, buckets);
  }

  /** Whether the files that a snapshot added are there: a long-lived changelog keeps none. */
  private boolean isKept(Snapshot landed, List<ChangedBucket> added) {
    return storage.snapshots().find(landed.id()).isPresent()
        || added.stream()
            .flatMap(bucket -> bucket.files().stream())
            .allMatch(file -> storage.io().exists(new Location(file.path())));
  }

  private StateDifference.Commit commit(Snapshot landed) {
    return new StateDifference.Commit(
        landed,
        storage.snapshots().find(landed.id() - 1).orElse(null),
        entries(storage.deltaManifests(landed)));
  }

  private boolean isPureAppend(StateDifference.Commit commit) {
    return !schema.hasPrimaryKey() && differences.onlyAdds(commit);
  }

  /** Whether one of the states that are compared is gone. */
  private boolean isExpired(StateDifference.Commit commit) {
    long id = commit.landed().id();
    boolean lacksBefore = commit.before() == null && id > 1 && !differences.onlyAdds(commit);
    return lacksBefore || storage.snapshots().find(id).isEmpty();
  }

  /** Whether everything that is needed to tell the changes of a snapshot is still kept. */
  boolean tells(long id, ChangeRules rules) {
    Snapshot landed = load(id);
    if (rules.under(schemaOf(landed)).of(landed) != Take.DIFFERENCE) {
      return true;
    }
    StateDifference.Commit commit = commit(landed);
    return isPureAppend(commit) ? isKept(landed, stored(commit.delta())) : !isExpired(commit);
  }

  /**
   * The oldest id from which on the changes of every snapshot up to the newest can be told. Those
   * that are computed need the state before them; every snapshot but the oldest one has it.
   */
  long firstTold(long newest, ChangeRules rules) {
    long oldest = earliestId().orElse(1);
    long first = Math.min(storage.snapshots().earliestId().orElse(oldest), newest) + 1;
    while (first > oldest && tells(first - 1, rules)) {
      first--;
    }
    return first;
  }

  /** The schema of the time of a snapshot. */
  private TableSchema schemaOf(Snapshot snapshot) {
    return schemas.computeIfAbsent(snapshot.schemaId(), storage.schemas()::load);
  }

  private boolean movesStaged(Snapshot landed) {
    return storage.deltaManifests(landed).stream()
            .anyMatch(
                manifest -> {
                  Integer min = manifest.minBucket();
                  return min == null || min <= TableLayout.POSTPONE_BUCKET;
                })
        && entries(storage.deltaManifests(landed)).stream()
            .anyMatch(
                entry ->
                    entry.kind() == EntryKind.DELETE
                        && entry.bucket() == TableLayout.POSTPONE_BUCKET);
  }

  private Snapshot commitOf(Snapshot landed) {
    if (landed.commitKind() != CommitKind.COMPACT) {
      return landed;
    }
    return find(landed.id() - 1)
        .filter(
            before ->
                before.commitKind() == CommitKind.APPEND
                    && before.commitUser().equals(landed.commitUser())
                    && before.commitIdentifier() == landed.commitIdentifier())
        .orElse(landed);
  }

  private List<ManifestEntry> changelog(Snapshot landed) {
    return entries(storage.changelogManifests(landed));
  }

  /** The added files, those of one bucket in the order in which their rows were written. */
  private List<ManifestEntry> added(Snapshot landed) {
    List<ManifestEntry> added = new ArrayList<>(entries(storage.deltaManifests(landed)));
    added.removeIf(entry -> entry.kind() != EntryKind.ADD);
    if (schema.hasPrimaryKey()) {
      added.sort(Comparator.comparingLong(entry -> entry.file().maxSequenceNumber()));
    }
    return added;
  }

  private List<ManifestEntry> entries(List<ManifestFile> manifests) {
    List<ManifestEntry> all = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      all.addAll(storage.manifests().entries(manifest, StatsProjection.KEEP, filter));
    }
    return all;
  }

  private List<ChangedBucket> stored(List<ManifestEntry> entries) {
    record BucketId(BinaryRow partition, int bucket, int totalBuckets) {}

    Map<BucketId, List<ChangeFile>> buckets = new LinkedHashMap<>();
    for (ManifestEntry entry : entries) {
      if (entry.bucket() != TableLayout.POSTPONE_BUCKET) {
        DataFile file = entry.file();
        buckets
            .computeIfAbsent(
                new BucketId(entry.partition(), entry.bucket(), entry.totalBuckets()),
                id -> new ArrayList<>())
            .add(
                new ChangeFile(
                    addresses.dataFile(entry.partition(), entry.bucket(), file).path(), file));
      }
    }
    List<ChangedBucket> changed = new ArrayList<>();
    buckets.forEach(
        (id, files) ->
            changed.add(
                ChangedBucket.stored(id.partition(), id.bucket(), id.totalBuckets(), files)));
    return changed;
  }

  private InvalidRequestException notFound(long id) {
    OptionalLong earliest = earliestId();
    OptionalLong latest = latestId();
    if (earliest.isEmpty() || latest.isEmpty()) {
      return missing(
          "Version %d of table %s does not exist: the table has none"
              .formatted(id, storage.name()));
    }
    return missing(
        id < earliest.getAsLong()
            ? "The changes of version %d of table %s have expired. The oldest version available is %d, the newest %d. Start at %d or later"
                .formatted(
                    id,
                    storage.name(),
                    earliest.getAsLong(),
                    latest.getAsLong(),
                    earliest.getAsLong())
            : "Version %d of table %s does not exist. The oldest version available is %d, the newest %d"
                .formatted(id, storage.name(), earliest.getAsLong(), latest.getAsLong()));
  }

  private InvalidRequestException stateExpired(Snapshot landed, ChangeRules rules) {
    long oldest = firstTold(latestId().orElse(landed.id()), rules);
    MergeOptions merge = TableOptions.of(schemaOf(landed)).merge();
    return missing(
        "The changes of version "
            + landed.id()
            + " of table "
            + storage.name()
            + " have expired: the state of the table that they are computed from is not kept any"
            + " more. The oldest version available is "
            + oldest
            + ". Start there or later, and keep snapshots for longer"
            + (merge.changelogProducer() == ChangelogProducer.NONE
                ? " or set 'changelog-producer'"
                : ""));
  }

  private static InvalidRequestException missing(String message) {
    return new InvalidRequestException(Condition.KEYLAKE_VERSION_NOT_FOUND, message + ".");
  }
}
