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

package io.keylake.spark.transfer;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.LakeTable;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitResult;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.VersionDifference;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a table hold what it held in an older version, by a new snapshot; history stays.
 *
 * <ol>
 *   <li>Files that both versions have stay, those that the newest version alone has are taken out,
 *       those that have gone since are copied back, see {@link RestoredFiles}; deletion vectors and
 *       hash indexes likewise. No row is read.
 *   <li>The snapshot is an OVERWRITE with the operation {@value #OPERATION}; it has no changelog.
 *       Nothing is committed when the newest version has the same files.
 *   <li>The schema stays the newest one.
 *   <li>Another commit meanwhile makes it look again at what has to go and to come.
 *   <li>Refused where the files would be read in another way than they were written for.
 * </ol>
 *
 * <p>Lives on the driver, for one thread. Pinned by {@code RestoreSparkTest}.
 */
public final class TableRestore {
  /** The name of the operation in the property {@link Snapshot#OPERATION}. */
  public static final String OPERATION = "RESTORE";

  /** Property of the snapshot: the id of the snapshot that was restored. */
  public static final String RESTORED_SNAPSHOT = "keylake.restored-snapshot";

  private static final Logger LOG = LoggerFactory.getLogger(TableRestore.class);
  private static final int MAX_ROUNDS = 20;

  private record Bucket(BinaryRow partition, int number, int totalBuckets) {
    static Bucket of(ManifestEntry entry) {
      return new Bucket(entry.partition(), entry.bucket(), entry.totalBuckets());
    }

    static Bucket of(IndexEntry entry) {
      return new Bucket(entry.partition(), entry.bucket(), -1);
    }
  }

  private final LakeTable table;
  private final TableStorage storage;
  private final Snapshot version;

  /**
   * A restore of {@code version}, which a snapshot or a tag of the table's branch keeps.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPERATION when options have changed since
   *     that say how files are read
   */
  public TableRestore(LakeTable table, Snapshot version) {
    this.table = table;
    this.storage = table.storage();
    this.version = version;
    checkOptions();
  }

  /**
   * What a restore does.
   *
   * @param bytesAfter size of the data files after it
   * @param filesAfter number of data files after it
   * @param removedFiles number of data files taken out
   * @param restoredFiles number of data files put back
   * @param removedBytes size of the data files taken out
   * @param restoredBytes size of the data files put back
   * @param snapshotId the new snapshot; null when none was made
   */
  public record Outcome(
      long bytesAfter,
      long filesAfter,
      long removedFiles,
      long restoredFiles,
      long removedBytes,
      long restoredBytes,
      @Nullable Long snapshotId) {}

  private void checkOptions() {
    TableSchema then = storage.schemas().load(version.schemaId());
    TableOptions before = TableOptions.of(then);
    TableOptions now = TableOptions.of(table.schema());
    check(
        "'deletion-vectors.enabled'",
        before.merge().deletionVectors(),
        now.merge().deletionVectors());
    check("the kind of its buckets", kind(then), kind(table.schema()));
    if (now.merge().computesRows()) {
      check("whether compaction looks rows up", before.lookupMode(), now.lookupMode());
    }
  }

  private static String kind(TableSchema schema) {
    return BucketMode.of(schema).getClass().getSimpleName();
  }

  private void check(String what, Object before, Object now) {
    if (!before.equals(now)) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot restore snapshot "
              + version.id()
              + " of "
              + table.name()
              + ": "
              + what
              + " was "
              + before
              + " then and is "
              + now
              + " now, so its files would be misread. Use INSERT OVERWRITE with a query of VERSION"
              + " AS OF "
              + version.id()
              + ", or roll back.");
    }
  }

  /** What {@link #run} would do now. */
  public Outcome planned() {
    return outcome(difference(latest()), null);
  }

  private Snapshot latest() {
    return storage.snapshots().latest().orElse(version);
  }

  private VersionDifference difference(Snapshot from) {
    return VersionDifference.between(storage, from, version);
  }

  private static Outcome outcome(VersionDifference difference, @Nullable Snapshot made) {
    return new Outcome(
        bytes(difference.kept()) + bytes(difference.added()),
        (long) difference.kept().size() + difference.added().size(),
        difference.removed().size(),
        difference.added().size(),
        bytes(difference.removed()),
        bytes(difference.added()),
        made == null ? null : Long.valueOf(made.id()));
  }

  private static long bytes(List<ManifestEntry> entries) {
    return entries.stream().mapToLong(entry -> entry.file().size()).sum();
  }

  /**
   * Restores the version.
   *
   * @param parallelism how many files are copied at a time, at most
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when others keep committing
   */
  public Outcome run(SparkContext spark, int parallelism, Ids ids) {
    RestoredFiles files = new RestoredFiles(table, ids);
    TableCommitter committer = table.committer(CommitEnvironment.system());
    CommitRequest request = CommitRequest.batch(table.newCommitUser(ids), List.of());
    boolean isDone = false;
    try {
      for (int round = 1; ; round++) {
        Snapshot latest = latest();
        VersionDifference difference = difference(latest);
        if (difference.isEmpty()) {
          isDone = true;
          return outcome(difference, null);
        }
        files.copy(difference, spark, parallelism);
        request =
            CommitRequest.batch(request.user(), changes(difference, files))
                .basedOn(latest)
                .overwriting(new OverwriteScope.NamedFiles(latest))
                .withProperties(properties());
        try {
          CommitResult result = committer.commit(request);
          isDone = true;
          return outcome(difference, result.newest().orElse(null));
        } catch (CommitConflictException e) {
          if (round == MAX_ROUNDS || e.condition() != Condition.KEYLAKE_CONCURRENT_MODIFICATION) {
            throw e;
          }
          LOG.info("Another commit came before the restore of {}; again", table.name());
        }
      }
    } finally {
      if (!isDone) {
        abort(committer, request, files);
      }
    }
  }

  private Map<String, String> properties() {
    return Map.of(Snapshot.OPERATION, OPERATION, RESTORED_SNAPSHOT, Long.toString(version.id()));
  }

  /** Without changes nothing was asked of the committer yet, so nobody can name the copies. */
  private void abort(TableCommitter committer, CommitRequest request, RestoredFiles files) {
    if (!request.changes().isEmpty()) {
      committer.abort(request);
      return;
    }
    for (Location file : files.made()) {
      try {
        storage.io().delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete {}; it is left to the removal of orphans", file, e);
      }
    }
  }

  private static List<BucketChange> changes(VersionDifference difference, RestoredFiles files) {
    List<BucketChange> changes = new ArrayList<>();
    perBucket(difference.removed(), Bucket::of, ManifestEntry::file)
        .forEach(
            (bucket, list) ->
                changes.add(
                    change(
                        bucket,
                        new FileChanges(List.of(), list, List.of(), List.of(), List.of()))));
    perBucket(difference.added(), Bucket::of, files::copyOf)
        .forEach((bucket, list) -> changes.add(change(bucket, FileChanges.added(list))));
    Map<Bucket, List<IndexFile>> going =
        perBucket(difference.removedIndexes(), Bucket::of, IndexEntry::file);
    going.forEach(
        (bucket, list) ->
            changes.add(
                change(bucket, new FileChanges(List.of(), List.of(), List.of(), List.of(), list))));
    perBucket(files.indexes(difference), Bucket::of, IndexEntry::file)
        .forEach(
            (bucket, list) ->
                changes.add(
                    change(
                        bucket,
                        new FileChanges(List.of(), List.of(), List.of(), list, List.of()))));
    return changes;
  }

  private static <E, F> Map<Bucket, List<F>> perBucket(
      List<E> entries, Function<E, Bucket> bucket, Function<E, F> file) {
    Map<Bucket, List<F>> grouped = new LinkedHashMap<>();
    for (E entry : entries) {
      grouped.computeIfAbsent(bucket.apply(entry), key -> new ArrayList<>()).add(file.apply(entry));
    }
    return grouped;
  }

  private static BucketChange change(Bucket bucket, FileChanges files) {
    return new BucketChange(
        bucket.partition(), bucket.number(), bucket.totalBuckets(), files, FileChanges.NONE);
  }
}
