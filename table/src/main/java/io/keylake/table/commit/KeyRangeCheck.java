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
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether rows of a commit would rank below, or equal to, rows of the same keys that another commit
 * added after the writer had read its first sequence number.
 *
 * <p>A bucket is affected when a file that is not ours has a largest sequence number of at least
 * the smallest of one of our new level-0 files, and their key ranges overlap. Numbers that start
 * above everything in the bucket keep the order of commits. Example: both writers began at 10; the
 * other has committed keys 1 to 5 with 10 to 14, ours are keys 3 to 9 with 10 to 16: ours start
 * again at 15. Staged files of postpone buckets (numbers below 0) are not looked at.
 *
 * <p>Rule source: design decision "order follows commit order". Pinned by {@code
 * KeyRangeCheckTest}.
 */
final class KeyRangeCheck {
  private record Bucket(BinaryRow partition, int bucket) {}

  private final KeyComparator order;

  KeyRangeCheck(TableSchema schema) {
    this.order = KeyComparator.of(schema.keyType());
  }

  /**
   * The first sequence number for each change, empty where the written numbers are right.
   *
   * @param others files of others: all live ones or those added since the writer began
   */
  List<OptionalLong> firstNumbers(List<BucketChange> changes, Collection<ManifestEntry> others) {
    Map<Bucket, List<DataFile>> byBucket = byBucket(others);
    return changes.stream()
        .map(
            change ->
                firstNumber(
                    change,
                    byBucket.getOrDefault(
                        new Bucket(change.partition(), change.bucket()), List.of())))
        .toList();
  }

  private static Map<Bucket, List<DataFile>> byBucket(Collection<ManifestEntry> entries) {
    Map<Bucket, List<DataFile>> byBucket = new HashMap<>();
    for (ManifestEntry entry : entries) {
      byBucket
          .computeIfAbsent(
              new Bucket(entry.partition(), entry.bucket()), bucket -> new ArrayList<>())
          .add(entry.file());
    }
    return byBucket;
  }

  private OptionalLong firstNumber(BucketChange change, List<DataFile> others) {
    List<DataFile> ours =
        change.written().added().stream()
            .filter(file -> file.level() == 0 && file.minSequenceNumber() >= 0)
            .toList();
    boolean affected =
        ours.stream().anyMatch(mine -> others.stream().anyMatch(other -> outranks(other, mine)));
    if (!affected) {
      return OptionalLong.empty();
    }
    long highest = others.stream().mapToLong(DataFile::maxSequenceNumber).max().orElse(-1);
    return OptionalLong.of(highest + 1);
  }

  /** The partitions in which new level-0 files of compactions do not outrank those of others. */
  Set<BinaryRow> overtaken(List<BucketChange> changes, Collection<ManifestEntry> others) {
    Map<Bucket, List<DataFile>> byBucket = byBucket(others);
    Set<BinaryRow> overtaken = new HashSet<>();
    for (BucketChange change : changes) {
      List<DataFile> ofBucket =
          byBucket.getOrDefault(new Bucket(change.partition(), change.bucket()), List.of());
      boolean isOvertaken =
          change.compacted().added().stream()
              .filter(file -> file.level() == 0)
              .anyMatch(mine -> ofBucket.stream().anyMatch(other -> outranks(other, mine)));
      if (isOvertaken) {
        overtaken.add(change.partition());
      }
    }
    return overtaken;
  }

  /**
   * The first keys of a request that {@code entries}, what others did, may have changed; empty when
   * there are none.
   */
  Optional<CommitRequest.KeyGuard> firstChanged(
      CommitRequest request, Collection<ManifestEntry> entries) {
    Map<Bucket, List<DataFile>> byBucket = byBucket(entries);
    return guards(request)
        .filter(
            guard ->
                byBucket
                    .getOrDefault(new Bucket(guard.partition(), guard.bucket()), List.of())
                    .stream()
                    .anyMatch(other -> meets(other, guard.minKey(), guard.maxKey())))
        .findFirst();
  }

  /**
   * As {@link #firstChanged}, where a key is found once in the table: what others did in any bucket
   * of any partition counts.
   */
  Optional<CommitRequest.KeyGuard> firstChangedAnywhere(
      CommitRequest request, Collection<ManifestEntry> entries) {
    return guards(request)
        .filter(
            guard ->
                entries.stream()
                    .anyMatch(other -> meets(other.file(), guard.minKey(), guard.maxKey())))
        .findFirst();
  }

  /** The keys that a request relied on: those of new files of level 0 and its guards. */
  private static Stream<CommitRequest.KeyGuard> guards(CommitRequest request) {
    Stream<CommitRequest.KeyGuard> written =
        request.changes().stream()
            .flatMap(
                change ->
                    change.written().added().stream()
                        .filter(file -> file.level() == 0)
                        .map(file -> CommitRequest.KeyGuard.of(change, file)));
    return Stream.concat(written, request.guards().stream());
  }

  private boolean outranks(DataFile other, DataFile mine) {
    return other.maxSequenceNumber() >= mine.minSequenceNumber()
        && meets(other, mine.minKey(), mine.maxKey());
  }

  private boolean meets(DataFile other, BinaryRow minKey, BinaryRow maxKey) {
    return order.compare(other.minKey(), maxKey) <= 0 && order.compare(minKey, other.maxKey()) <= 0;
  }
}
