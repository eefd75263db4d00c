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

package io.keylake.procedures.report;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.report.TableFacts.History;
import io.keylake.spark.TableVersion;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.maintenance.PartitionBatches;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.spark.metadata.MetadataText;
import io.keylake.table.LakeTable;
import io.keylake.table.compaction.CompactionPlanner;
import io.keylake.table.lsm.Levels;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.scan.StagedFiles;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Reads the metadata of a table, partitions one batch after the other, so that memory is bounded as
 * it is when the table is compacted. Reads no rows. For one thread.
 */
final class Survey {
  /** How many snapshots are drawn. */
  static final int SNAPSHOTS = 200;

  /** How many tags are drawn. */
  static final int TAGS = 20;

  /** How many buckets are drawn. */
  static final int PICTURES = 12;

  private final TableVersion version;
  private final LakeTable table;
  private final TableSchema schema;
  private final CompactionPlanner compactions;
  private final FileTally tally;
  private final Largest<Shape> costly =
      new Largest<>(PICTURES, Comparator.comparing(Shape::size, BucketSize.BY_COST));
  private Work minor = Work.NONE;
  private Work full = Work.NONE;
  private long partitions;

  /** A bucket that may be drawn. */
  private record Shape(BucketSize size, BucketFiles files) {}

  Survey(TableVersion version, Clock clock) {
    this.version = version;
    this.table =
        LakeTable.find(version.storage())
            .orElseThrow()
            .withOptions(
                SessionOptions.overrides(version.name(), CaseInsensitiveStringMap.empty()));
    this.schema = table.schema();
    this.compactions = table.compactionPlanner(clock);
    TableOptions options = table.options();
    this.tally =
        new FileTally(
            options.compaction().smallFiles().bytes(options.dataFile().targetFileBytes()));
  }

  TableFacts facts() {
    Snapshot snapshot = version.snapshot();
    if (snapshot != null) {
      survey(snapshot);
    }
    return new TableFacts(
        version.name(),
        version.storage().layout().root().path(),
        table.branch(),
        schema,
        options(),
        snapshot,
        history(),
        partitions,
        tally,
        costly.all().stream()
            .map(shape -> BucketPicture.of(shape.files(), shape.size(), schema))
            .toList(),
        minor,
        full);
  }

  /** Values of keys such as {@code password} are hidden, as Spark hides them. */
  private Map<String, String> options() {
    scala.collection.immutable.Map<String, String> options =
        scala.collection.immutable.Map.from(CollectionConverters.asScala(schema.options()));
    return CollectionConverters.asJava(SQLConf.get().redactOptions(options));
  }

  private void survey(Snapshot snapshot) {
    ScanPlanner scans = table.planner().ofEveryLevel();
    StatsProjection stats =
        compactions.expiry().isPresent() ? StatsProjection.KEEP : StatsProjection.SKIP;
    for (Set<BinaryRow> batch :
        PartitionBatches.of(version.storage(), snapshot, PartitionChoice.ALL)) {
      partitions += batch.size();
      scans.buckets(snapshot, batch, stats).forEach(this::add);
    }
    StagedFiles.of(version.storage(), snapshot, partition -> true)
        .values()
        .forEach(files -> files.forEach(file -> tally.staged(Sum.of(file, 0))));
  }

  private void add(BucketFiles bucket) {
    Sum sum = Sum.NONE;
    for (DataFile file : bucket.files()) {
      Sum one = Sum.of(file, BucketPicture.deletedByVector(bucket, file));
      tally.file(file.level(), one);
      sum = sum.plus(one);
    }
    BucketSize size = new BucketSize(label(bucket), runs(bucket), sum);
    tally.bucket(size);
    costly.add(new Shape(size, bucket));
    minor = compactions.minor(bucket).map(minor::plus).orElse(minor);
    full = compactions.full(bucket).map(full::plus).orElse(full);
  }

  private int runs(BucketFiles bucket) {
    return schema.hasPrimaryKey()
        ? Levels.of(bucket.files(), KeyComparator.of(schema.keyType())).runs().size()
        : 0;
  }

  private String label(BucketFiles bucket) {
    String partition =
        MetadataText.path(
            bucket.partition(),
            schema.partitionType(),
            table.options().fileLayout().defaultPartitionName());
    if (bucket.totalBuckets() < 1 && !schema.hasPrimaryKey()) {
      return partition.isEmpty() ? "all rows" : partition;
    }
    return (partition.isEmpty() ? "" : partition + " / ") + "bucket " + bucket.bucket();
  }

  /** Snapshots may expire while they are read. */
  private History history() {
    SnapshotStore snapshots = version.storage().snapshots();
    List<Long> ids = snapshots.ids();
    List<Snapshot> newest = new ArrayList<>();
    for (long id : ids.subList(Math.max(0, ids.size() - SNAPSHOTS), ids.size())) {
      snapshots.find(id).ifPresent(newest::add);
    }
    List<Tag> tags = version.storage().tags().all();
    return new History(
        newest,
        ids.size(),
        tags.subList(Math.max(0, tags.size() - TAGS), tags.size()),
        tags.size());
  }
}
