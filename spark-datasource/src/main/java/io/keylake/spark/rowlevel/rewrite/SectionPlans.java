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
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.RewriteSlices;
import io.keylake.table.compaction.SectionRewrite;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanPlanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.jspecify.annotations.Nullable;

/**
 * Plans the rewrite of the sections that a statement's keys fall into. Where a file's range meets
 * more than one section its keys are looked at, so that few keys far apart rewrite little; up to a
 * number of rows, since the driver reads them. Lives on the driver, for one thread.
 */
final class SectionPlans {
  /** The most rows whose keys are read. */
  private static final long MAX_KEYS = 2_000_000;

  /** A task rewrites about as much as so many files of the target size. */
  private static final int SLICE_FILES = 2;

  private static final int BATCH_ROWS = 4096;

  private final WriteTarget target;
  private final FileAddresses addresses;
  private final ScanPlanner scans;
  private final RewriteSlices slices;
  private final RowType keyType;

  SectionPlans(WriteTarget target) {
    this.target = target;
    this.addresses =
        FileAddresses.of(target.storage().layout(), target.schema(), target.options().fileLayout());
    this.scans =
        new ScanPlanner(target.storage(), target.schema(), target.options()).ofEveryLevel();
    this.slices =
        new RewriteSlices(
            target.schema(), SLICE_FILES * target.options().dataFile().targetFileBytes());
    this.keyType = target.schema().keyType();
  }

  /**
   * The plans for the buckets of {@code incoming}; none for a bucket in which nothing happens.
   *
   * @param snapshot whose files are rewritten; null = an empty table
   */
  List<CompactionPlan> of(@Nullable Snapshot snapshot, IncomingFiles incoming) {
    Map<BucketId, BucketFiles> live = live(snapshot, incoming);
    long rows =
        incoming.buckets().stream()
            .flatMap(IncomingFiles.Bucket::files)
            .mapToLong(DataFile::rowCount)
            .sum();
    boolean readsKeys = rows <= MAX_KEYS;
    List<Optional<CompactionPlan>> plans =
        ParallelReads.map(
            incoming.buckets(),
            bucket ->
                plan(live.getOrDefault(bucket.id(), empty(bucket)), bucket, readsKeys)
                    .map(slices::of));
    return plans.stream().flatMap(Optional::stream).toList();
  }

  private Map<BucketId, BucketFiles> live(@Nullable Snapshot snapshot, IncomingFiles incoming) {
    Map<BucketId, BucketFiles> live = new HashMap<>();
    if (snapshot != null) {
      Set<BinaryRow> partitions = new HashSet<>();
      incoming.buckets().forEach(bucket -> partitions.add(bucket.id().partition()));
      scans
          .buckets(snapshot, partitions, StatsProjection.SKIP)
          .forEach(bucket -> live.put(new BucketId(bucket.partition(), bucket.bucket()), bucket));
    }
    return live;
  }

  private static BucketFiles empty(IncomingFiles.Bucket bucket) {
    return new BucketFiles(
        bucket.id().partition(),
        bucket.id().number(),
        bucket.totalBuckets(),
        List.of(),
        Map.of(),
        List.of(),
        Set.of());
  }

  private Optional<CompactionPlan> plan(
      BucketFiles live, IncomingFiles.Bucket incoming, boolean readsKeys) {
    SectionRewrite sections =
        new SectionRewrite(target.schema(), target.options(), addresses, live);
    List<DataFile> all = incoming.files().toList();
    for (DataFile file : all) {
      if (readsKeys && sections.spreads(file)) {
        touchKeys(sections, incoming.id(), file);
      } else {
        sections.touch(file);
      }
    }
    return sections.plan(incoming.overrides(), incoming.records());
  }

  private void touchKeys(SectionRewrite sections, BucketId bucket, DataFile file) {
    String path = addresses.dataFile(bucket.partition(), bucket.number(), file).path();
    PartitionRows keys = new PartitionRows(keyType);
    FileScan scan =
        FileScan.whole(path, file, target.storage().schemas().load(file.schemaId()), keyType);
    try (DataFileReader reader = newFiles().open(scan)) {
      ColumnVector[] columns = new ColumnVector[keyType.size()];
      while (reader.next()) {
        for (int i = 0; i < columns.length; i++) {
          columns[i] = reader.column(i);
        }
        ColumnarBatchRow row = new ColumnarBatchRow(columns);
        for (int i = 0; i < reader.rows(); i++) {
          row.rowId = i;
          sections.touch(keys.toBinary(row));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the keys of " + path, e);
    }
  }

  /** Opens files in one thread. */
  private DataFiles newFiles() {
    return new DataFiles(
        target.configuration(), new VectorAllocation(BATCH_ROWS, VectorMemory.ON_HEAP), Map.of());
  }

  /** All folders and files are found by these. */
  FileAddresses addresses() {
    return addresses;
  }
}
