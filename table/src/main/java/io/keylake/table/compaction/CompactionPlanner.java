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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.CompactionOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.time.Clock;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/**
 * Plans compactions of the buckets of a table. It has to be given all live files of a bucket, with
 * their statistics: {@link io.keylake.table.scan.ScanPlanner#ofEveryLevel}. Immutable but for the
 * clock, whose zone decides about off-peak hours.
 */
public final class CompactionPlanner {
  private final TableSchema schema;
  private final TableOptions options;
  private final FileAddresses addresses;
  private final Clock clock;
  private final CompactionOptions compaction;

  /**
   * A planner.
   *
   * @param schema the schema that compactions write with
   * @param options the table's options, with those of the statement over them
   * @param addresses where the table's files are
   * @param clock the time by which rows expire
   */
  public CompactionPlanner(
      TableSchema schema, TableOptions options, FileAddresses addresses, Clock clock) {
    this.schema = schema;
    this.options = options;
    this.addresses = addresses;
    this.clock = clock;
    this.compaction = options.compaction();
  }

  /**
   * What a batch writer compacts at its end in a bucket that it wrote, once its files are there:
   * nothing when the table is write-only, or of append tables without buckets.
   */
  public Optional<CompactionPlan> afterWrite(BucketFiles bucket) {
    return afterWrite(bucket, compaction.fullness().afterEveryWrite());
  }

  /**
   * What the commit of a stream compacts in a bucket that it wrote: by {@code
   * full-compaction.delta-commits} fully from time to time, else what is due.
   *
   * @param identifier the number of the commit, counted from 0
   */
  public Optional<CompactionPlan> afterWrite(BucketFiles bucket, long identifier) {
    return afterWrite(bucket, compaction.fullness().afterCommit(identifier));
  }

  private Optional<CompactionPlan> afterWrite(BucketFiles bucket, boolean isFull) {
    boolean hasBuckets = schema.hasPrimaryKey() || options.bucket().count() >= 1;
    if (compaction.writeOnly() || !hasBuckets) {
      return Optional.empty();
    }
    return isFull ? full(bucket) : minor(bucket);
  }

  /** What is due in a bucket by the options of the table, {@code write-only} aside. */
  public Optional<CompactionPlan> minor(BucketFiles bucket) {
    return compactions().minor(bucket);
  }

  /**
   * All that can be compacted in a bucket: of a primary-key table everything into the top level; of
   * an append table all small files and all files with deleted rows.
   */
  public Optional<CompactionPlan> full(BucketFiles bucket) {
    return compactions().full(bucket);
  }

  /**
   * All files of a bucket of an append table as the input of one step: what sort compaction reads.
   * Empty without files.
   */
  public Optional<CompactionPlan> whole(BucketFiles bucket) {
    List<DataFile> files = bucket.files();
    return new BucketInputs(bucket, addresses)
        .concatenations(files.isEmpty() ? List.of() : List.of(files));
  }

  /**
   * What leaves no deletion vector in a bucket. Append tables: every file that has one is written
   * anew by itself, so that rows keep their order. Primary-key tables: a full compaction. Empty
   * when the bucket has no vector.
   */
  public Optional<CompactionPlan> withoutVectors(BucketFiles bucket) {
    List<DataFile> files =
        bucket.files().stream().filter(file -> bucket.vectors().containsKey(file.name())).toList();
    if (files.isEmpty()) {
      return Optional.empty();
    }
    return schema.hasPrimaryKey()
        ? full(bucket)
        : new BucketInputs(bucket, addresses).concatenations(files.stream().map(List::of).toList());
  }

  /**
   * The number of sorted runs of a bucket (each file of level 0, each level above it with files)
   * below which {@link #afterWrite} finds nothing, so that its files need not be listed.
   */
  public int fewestRuns() {
    CompactionRules rules = CompactionRules.of(compaction, options.merge(), 0);
    boolean hasOtherReasons =
        compaction.fullness().afterEveryWrite()
            || rules.startsFull()
            || rules.forceUpLevelZero()
            || rules.totalBytesThreshold() != null
            || rules.incrementalBytesThreshold() != null
            || options.merge().lookupMode();
    if (hasOtherReasons) {
      return 1;
    }
    if (schema.hasPrimaryKey()) {
      return rules.trigger();
    }
    return options.bucket().appendOrdered() ? AppendRules.of(options).minFiles() : 2;
  }

  /** Which rows compactions drop by their age as of now; empty when rows never expire. */
  public Optional<RecordExpiry> expiry() {
    CompactionOptions.Expiry expiry = compaction.expiry();
    return schema.hasPrimaryKey() && expiry.time() != null && expiry.timeField() != null
        ? Optional.of(
            new RecordExpiry(expiry.timeField(), clock.millis() - expiry.time().toMillis()))
        : Optional.empty();
  }

  private BucketCompaction compactions() {
    if (schema.hasPrimaryKey()) {
      int hour = LocalTime.now(clock).getHour();
      return new KeyedCompaction(
          schema,
          options,
          addresses,
          CompactionRules.of(compaction, options.merge(), hour),
          new ExpiredRows(expiry().orElse(null), schema));
    }
    BucketOptions buckets = options.bucket();
    AppendRules rules = AppendRules.of(options);
    return buckets.count() >= 1 && buckets.appendOrdered()
        ? new OrderedAppendCompaction(rules, addresses)
        : new AppendCompaction(rules, addresses);
  }
}
