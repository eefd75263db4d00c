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

package io.keylake.spark.write;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.sort.SortBuffer;
import io.keylake.spark.sort.SortedBatches;
import io.keylake.spark.sort.SortedRows;
import io.keylake.spark.write.change.KeyChanges;
import io.keylake.spark.write.change.LoggedRows;
import io.keylake.spark.write.cross.KeyRouting;
import io.keylake.spark.write.partial.BucketLookup;
import io.keylake.spark.write.partial.PartialRules;
import io.keylake.spark.write.partial.WithCurrentRows;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.PartialColumns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of a primary-key table: all rows are sorted by bucket and key, rows of equal key are
 * folded by the rules of the table's merge engine, and each bucket's rows become level-0 files.
 * Overrides of a row-level statement become files of their own, and so do all rows as they come,
 * where they are the changelog.
 */
final class KeyedRowSink implements RowSink {
  private final Router router;
  private final SortBuffer buffer;
  private final WriterPlan plan;
  private final TaskStorage storage;
  private final TaskFiles files;
  private final SideFiles overrideFiles;
  private final @Nullable SideFiles changelog;
  private final @Nullable KeyRouting keys;
  private List<BucketChange> overrides = List.of();
  private @Nullable String repeatedKey;
  private long spilledBytes;

  KeyedRowSink(
      Router router, SortBuffer buffer, WriterPlan plan, TaskStorage storage, int writers) {
    this.router = router;
    this.buffer = buffer;
    this.plan = plan;
    this.storage = storage;
    this.files = storage.newTaskFiles(writers);
    this.overrideFiles = new SideFiles(router, storage, () -> storage.newTaskFiles(writers));
    this.changelog =
        plan.changelog() == null
            ? null
            : new SideFiles(router, storage, () -> storage.newChangelog(writers).orElseThrow());
    this.keys =
        storage
            .keyRouting(
                (partition, bucket, row, kind) ->
                    insert(router.group(partition, bucket), row, kind))
            .orElse(null);
  }

  /** Whether the task may be taken as the owner of a bucket that it wrote rows of. */
  boolean owns(BinaryRow partition, int bucket) {
    return keys == null ? router.owns(partition, bucket) : keys.owns(bucket);
  }

  @Override
  public void write(UnsafeRow row, byte kind) throws IOException {
    KeyRouting routing = keys;
    if (routing == null) {
      insert(router.route(row), row, kind);
    } else {
      routing.write(row, kind);
    }
  }

  private void insert(int group, UnsafeRow row, byte kind) throws IOException {
    buffer.insert(row, group, kind, router.number(group));
  }

  @Override
  public List<BucketChange> finish() throws IOException {
    PartialColumns set = plan.completedColumns();
    EngineRules rules =
        set == null
            ? EngineRules.of(plan.schema(), plan.table())
            : PartialRules.of(plan.schema(), TableOptions.of(plan.schema()).merge(), set);
    try (SortedBatches batches =
        SortedBatches.ofKeys(
            records(buffer.sort(), set),
            plan.order(),
            plan.schema(),
            rules,
            plan.table(),
            group -> storage.firstSequenceNumber(router.group(group)))) {
      RowBatch batch = new RowBatch();
      while (batches.next(batch)) {
        files.write(batch, router.group(batches.group()));
        if (set != null && changelog != null) {
          changelog.addAll(batch, batches.group());
        }
      }
      UnsafeRow repeated = set == null ? batches.repeated() : null;
      repeatedKey = repeated == null ? null : KeyChanges.text(plan.schema(), repeated);
    }
    if (keys != null) {
      repeatedKey = repeatedKey == null ? keys.repeatedKey() : repeatedKey;
      keys.close();
    }
    overrides = overrideFiles.finish();
    spilledBytes = buffer.spilledBytes();
    buffer.close();
    router.writeIndexes(files::writeIndex);
    return withChangelog(files.finish());
  }

  /** The same changes with the changelog files of their buckets. */
  private List<BucketChange> withChangelog(List<BucketChange> written) throws IOException {
    if (changelog == null) {
      return written;
    }
    List<BucketChange> all = new ArrayList<>(written);
    for (BucketChange side : changelog.finish()) {
      List<DataFile> rows = side.written().added();
      all.add(
          new BucketChange(
              side.partition(),
              side.bucket(),
              side.totalBuckets(),
              new FileChanges(List.of(), List.of(), rows, List.of(), List.of()),
              FileChanges.NONE));
    }
    return BucketChange.perBucket(all);
  }

  /** The rows to write: with those that their keys have, or without overrides. */
  private SortedRows records(SortedRows sorted, @Nullable PartialColumns set) {
    if (set != null) {
      return withCurrentRows(sorted, set);
    }
    SortedRows rows =
        changelog == null ? sorted : new LoggedRows(sorted, plan.order().arity(), changelog);
    return plan.changes() == null
        ? rows
        : new KeyChanges(rows, plan.order(), plan.changes(), overrideFiles);
  }

  /** Written rows together with those that their keys have. */
  private SortedRows withCurrentRows(SortedRows written, PartialColumns set) {
    return new WithCurrentRows(
        written,
        plan.order().arity(),
        new BucketLookup(
            set,
            storage.currentRows(),
            plan.order(),
            PartialRules.given(plan.schema()),
            group -> storage.splits(router.group(group))));
  }

  @Override
  public List<BucketChange> overrides() {
    return overrides;
  }

  @Override
  public @Nullable String repeatedKey() {
    return repeatedKey;
  }

  @Override
  public Set<BinaryRow> givenPartitions() {
    return keys == null ? Set.of() : keys.givenPartitions();
  }

  @Override
  public void discard() {
    files.discard();
    overrideFiles.discard();
    if (changelog != null) {
      changelog.discard();
    }
  }

  @Override
  public TaskFiles files() {
    return files;
  }

  @Override
  public long spilledBytes() {
    return spilledBytes;
  }

  @Override
  public void close() throws IOException {
    try {
      buffer.close();
      files.close();
      overrideFiles.close();
      if (changelog != null) {
        changelog.close();
      }
    } finally {
      if (keys != null) {
        keys.close();
      }
    }
  }
}
