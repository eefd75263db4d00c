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

package io.keylake.spark.rowlevel.rewrite;

import io.keylake.format.datafile.DataFile;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest.KeyGuard;
import io.keylake.table.commit.FileChanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a statement wrote, sorted by what becomes of it.
 *
 * @param buckets the files that are merged into those of the table, one entry per bucket
 * @param rest what is committed as it was written
 * @param compactions what tasks compacted together with records that are merged now: in vain
 */
record IncomingFiles(
    List<Bucket> buckets, List<BucketChange> rest, List<BucketChange> compactions) {
  /** What becomes of records in buckets that have overrides. */
  enum Records {
    /** They are committed as files of level 0. */
    STAY,
    /** They are merged together with the overrides, where reads pass over level 0. */
    MERGED
  }

  IncomingFiles {
    buckets = List.copyOf(buckets);
    rest = List.copyOf(rest);
    compactions = List.copyOf(compactions);
  }

  /**
   * The files of one bucket that are merged.
   *
   * @param id the bucket
   * @param totalBuckets number of buckets of the partition, as the writer saw it
   * @param overrides rows that stand for their keys
   * @param records rows that are newer
   */
  record Bucket(BucketId id, int totalBuckets, List<DataFile> overrides, List<DataFile> records) {
    Bucket {
      overrides = List.copyOf(overrides);
      records = List.copyOf(records);
    }

    /** All files. */
    Stream<DataFile> files() {
      return Stream.concat(overrides.stream(), records.stream());
    }

    private KeyGuard guard(DataFile file) {
      return new KeyGuard(id.partition(), id.number(), file.minKey(), file.maxKey());
    }

    /** The files as a change, to be deleted. */
    BucketChange asChange() {
      return new BucketChange(
          id.partition(),
          id.number(),
          totalBuckets,
          FileChanges.added(files().toList()),
          FileChanges.NONE);
    }
  }

  /** Sorts what was written; each list has one change per bucket. */
  static IncomingFiles of(
      List<BucketChange> written, List<BucketChange> overrides, Records becomeOf) {
    Map<BucketId, BucketChange> records = new LinkedHashMap<>();
    written.forEach(change -> records.put(BucketId.of(change), change));
    List<Bucket> buckets = new ArrayList<>();
    List<BucketChange> compactions = new ArrayList<>();
    for (BucketChange override : overrides) {
      BucketId id = BucketId.of(override);
      BucketChange own = records.getOrDefault(id, nothing(override));
      List<DataFile> merged = List.of();
      if (becomeOf == Records.MERGED) {
        merged = own.written().added();
        if (!own.compacted().isEmpty()) {
          compactions.add(with(own, FileChanges.NONE, own.compacted()));
        }
        own = with(own, withoutFiles(own.written()), FileChanges.NONE);
      }
      FileChanges further = own.written().and(withoutFiles(override.written()));
      records.put(id, with(own, further, own.compacted()));
      buckets.add(new Bucket(id, own.totalBuckets(), override.written().added(), merged));
    }
    return new IncomingFiles(buckets, List.copyOf(records.values()), compactions);
  }

  private static BucketChange nothing(BucketChange like) {
    return with(like, FileChanges.NONE, FileChanges.NONE);
  }

  private static BucketChange with(
      BucketChange change, FileChanges written, FileChanges compacted) {
    return new BucketChange(
        change.partition(), change.bucket(), change.totalBuckets(), written, compacted);
  }

  private static FileChanges withoutFiles(FileChanges files) {
    return new FileChanges(
        List.of(),
        files.removed(),
        files.changelog(),
        files.addedIndexes(),
        files.removedIndexes());
  }

  /** The keys that the statement relied on and that no committed file of level 0 has. */
  List<KeyGuard> guards() {
    return buckets.stream().flatMap(bucket -> bucket.files().map(bucket::guard)).toList();
  }

  /** The rest together with what was rewritten, one change per bucket. */
  List<BucketChange> with(List<BucketChange> rewritten) {
    Map<BucketId, BucketChange> all = new LinkedHashMap<>();
    Stream.concat(rest.stream(), rewritten.stream())
        .forEach(
            change ->
                all.merge(
                    BucketId.of(change),
                    change,
                    (left, right) ->
                        with(
                            right,
                            left.written().and(right.written()),
                            left.compacted().and(right.compacted()))));
    return all.values().stream()
        .filter(change -> !change.written().isEmpty() || !change.compacted().isEmpty())
        .toList();
  }

  /** Rows of the merged files that are not deletes. */
  long rows() {
    return buckets.stream()
        .flatMap(Bucket::files)
        .mapToLong(
            file -> file.rowCount() - (file.deleteRowCount() == null ? 0 : file.deleteRowCount()))
        .sum();
  }
}
