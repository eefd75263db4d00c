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

package io.keylake.table.commit;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.scan.ReadRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one job wants to commit. It becomes at most two snapshots: what was written, then what was
 * compacted.
 *
 * <p>{@code user} and {@code identifier} together are the identity of the commit: a request that is
 * repeated with both is applied once. A batch job takes a new user and {@link
 * Snapshot#BATCH_IDENTIFIER}; a streaming job keeps its user and counts the identifier up.
 *
 * @param user who commits
 * @param identifier which commit of the user
 * @param changes what the tasks wrote
 * @param overwrite what is replaced; null = nothing, the changes are added
 * @param base the snapshot from which the job took sequence numbers and bucket counts (see {@link
 *     BucketStates}), so that only later commits are checked; null = the whole state is checked
 * @param watermark of the job; null when it has none
 * @param properties stored in the snapshot
 * @param checks run in addition to those that the kind of commit demands
 * @param guards keys that {@link Check#KEYS_UNCHANGED} looks at besides those of new level-0 files
 * @param reads where no other commit than compactions may have added or removed files since {@code
 *     base}; null = anywhere
 * @param empty what an empty write gives unless an option says so
 */
public record CommitRequest(
    String user,
    long identifier,
    List<BucketChange> changes,
    @Nullable OverwriteScope overwrite,
    @Nullable Snapshot base,
    @Nullable Long watermark,
    Map<String, String> properties,
    Set<Check> checks,
    List<KeyGuard> guards,
    @Nullable ReadRange reads,
    EmptyWrite empty) {
  /** Property of a statement's snapshot: the number of data files it added. */
  public static final String FILES_ADDED = "keylake.files-added";

  /** Property of a statement's snapshot: the number of data files it removed. */
  public static final String FILES_REMOVED = "keylake.files-removed";

  /** What a commit is checked for against the newest snapshot. */
  public enum Check {
    /**
     * All files of a partition agree on its number of buckets. Always checked, but by overwrites.
     */
    BUCKET_COUNT,
    /**
     * Removed files are alive, added ones are new, files of a level above 0 do not overlap. Always
     * checked by compactions and overwrites.
     */
    FILES,
    /**
     * Rows of keys that another commit has written meanwhile get higher sequence numbers. Always
     * checked when rows are added to a primary-key table.
     */
    KEY_RANGES,
    /**
     * What was written was computed from rows of the same keys as of {@link #base}: no other commit
     * has changed rows of these keys since, compactions aside. The keys are those of new files of
     * level 0 and of {@link #guards}; files of higher levels were made of rows as they are.
     */
    KEYS_UNCHANGED
  }

  /**
   * Keys of a bucket that a job relied on.
   *
   * @param partition values of the partition columns
   * @param bucket the bucket's number
   * @param minKey the smallest key
   * @param maxKey the largest key
   */
  public record KeyGuard(BinaryRow partition, int bucket, BinaryRow minKey, BinaryRow maxKey) {
    /** The keys that a file may hold. */
    public static KeyGuard of(BucketChange change, DataFile file) {
      return new KeyGuard(change.partition(), change.bucket(), file.minKey(), file.maxKey());
    }
  }

  /** What becomes of a write that changes nothing. */
  public enum EmptyWrite {
    /** No snapshot. */
    SKIPPED,
    /** A snapshot without changes, so that the identifier is recorded. */
    RECORDED,
    /** A COMPACT snapshot without changes, which names the manifests merged. */
    MERGES_MANIFESTS
  }

  /** Copies the collections. */
  public CommitRequest {
    changes = List.copyOf(changes);
    properties = Map.copyOf(properties);
    checks = Set.copyOf(checks);
    guards = List.copyOf(guards);
  }

  /** The request of a batch job that adds its changes; {@code user} must be new. */
  public static CommitRequest batch(String user, List<BucketChange> changes) {
    return of(user, Snapshot.BATCH_IDENTIFIER, changes, EmptyWrite.SKIPPED);
  }

  /** The request of one step of a streaming job; a step without rows is recorded too. */
  public static CommitRequest streaming(String user, long identifier, List<BucketChange> changes) {
    return of(user, identifier, changes, EmptyWrite.RECORDED);
  }

  /**
   * The request of a job that numbers its commits, so that one that is repeated is applied once; a
   * step without rows leaves no trace, as its repetition has none either.
   */
  public static CommitRequest numbered(String user, long identifier, List<BucketChange> changes) {
    return of(user, identifier, changes, EmptyWrite.SKIPPED);
  }

  /** A request that changes no file: its snapshot names fewer manifests for the same files. */
  public static CommitRequest mergingManifests(String user) {
    return of(user, Snapshot.BATCH_IDENTIFIER, List.of(), EmptyWrite.MERGES_MANIFESTS);
  }

  private static CommitRequest of(
      String user, long identifier, List<BucketChange> changes, EmptyWrite empty) {
    return new CommitRequest(
        user, identifier, changes, null, null, null, Map.of(), Set.of(), List.of(), null, empty);
  }

  /** The same request, replacing what is in {@code scope}. */
  public CommitRequest overwriting(OverwriteScope scope) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        scope,
        base,
        watermark,
        properties,
        checks,
        guards,
        reads,
        empty);
  }

  /** The same request of a job that started from {@code snapshot}; null = an empty table. */
  public CommitRequest basedOn(@Nullable Snapshot snapshot) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        overwrite,
        snapshot,
        watermark,
        properties,
        checks,
        guards,
        reads,
        empty);
  }

  /** The same request with a watermark. */
  public CommitRequest withWatermark(long mark) {
    return new CommitRequest(
        user, identifier, changes, overwrite, base, mark, properties, checks, guards, reads, empty);
  }

  /** The same request with properties for the snapshot. */
  public CommitRequest withProperties(Map<String, String> values) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        overwrite,
        base,
        watermark,
        values,
        checks,
        guards,
        reads,
        empty);
  }

  /** The same request with further checks. */
  public CommitRequest withChecks(Set<Check> more) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        overwrite,
        base,
        watermark,
        properties,
        more,
        guards,
        reads,
        empty);
  }

  /** The same request that relied on keys, see {@link Check#KEYS_UNCHANGED}, besides its own. */
  public CommitRequest guarding(List<KeyGuard> keys) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        overwrite,
        base,
        watermark,
        properties,
        checks,
        keys,
        reads,
        empty);
  }

  /** The same request of a statement that has read rows since the base, see {@link #reads}. */
  public CommitRequest reading(@Nullable ReadRange range) {
    return new CommitRequest(
        user,
        identifier,
        changes,
        overwrite,
        base,
        watermark,
        properties,
        checks,
        guards,
        range,
        empty);
  }

  /** The same request with other changes. */
  public CommitRequest withChanges(List<BucketChange> others) {
    return new CommitRequest(
        user,
        identifier,
        others,
        overwrite,
        base,
        watermark,
        properties,
        checks,
        guards,
        reads,
        empty);
  }
}
