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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FilePruner.IndexUse;
import io.keylake.table.scan.FilePruner.Merging;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the live files of a snapshot that a query needs: prunes manifests, reads them side by side,
 * merges their entries, groups the live files by bucket and prunes these by statistics and file
 * indexes. Memory grows with the live files of the wanted partitions and buckets only. Immutable,
 * safe for use by many threads.
 */
public final class ScanPlanner {
  private final TableStorage storage;
  private final TableSchema schema;
  private final TableOptions options;
  private final FileAddresses addresses;
  private final VisibleFiles visible;

  /**
   * A planner.
   *
   * @param storage the table, seen through a branch
   * @param schema the schema that is read: the snapshot's
   * @param options the table's options with those of the query over them
   */
  public ScanPlanner(TableStorage storage, TableSchema schema, TableOptions options) {
    this(storage, schema, options, VisibleFiles.of(schema, options));
  }

  private ScanPlanner(
      TableStorage storage, TableSchema schema, TableOptions options, VisibleFiles visible) {
    this.storage = storage;
    this.schema = schema;
    this.options = options;
    this.addresses = FileAddresses.of(storage.layout(), schema, options.fileLayout());
    this.visible = visible;
  }

  /**
   * The same planner, which sees every file of the buckets whatever {@code scan.visibility} says:
   * what compaction has to start from. Rows staged in bucket -2 are left alone.
   */
  public ScanPlanner ofEveryLevel() {
    return new ScanPlanner(storage, schema, options, VisibleFiles.OF_BUCKETS);
  }

  /** The files a query of this snapshot needs. */
  public ScanPlan plan(Snapshot snapshot, ScanFilter filter) {
    long start = System.nanoTime();
    Conditions conditions = Conditions.of(filter.conjuncts(), schema);
    List<ManifestFile> manifests = storage.dataManifests(snapshot);
    ManifestPruner pruner =
        new ManifestPruner(conditions.partitionStats(), schema.partitionType(), visible);
    List<ManifestFile> wanted = manifests.stream().filter(pruner::mayHoldWanted).toList();

    Collection<ManifestEntry> entries = liveEntries(snapshot, wanted, conditions, filter);
    Map<BinaryRow, List<DataFile>> stagedFiles = staged(entries);
    List<BucketFiles> buckets = group(snapshot, entries);
    EntryFilter wantedBuckets = entryFilter(conditions);
    List<StagedPartition> staged =
        StagedPartition.of(stagedFiles, buckets, wantedBuckets::keepsBucket);
    List<BucketFiles> pruned =
        filePruner(conditions)
            .prune(
                buckets.stream()
                    .filter(bucket -> !stagedFiles.containsKey(bucket.partition()))
                    .toList());
    ScanStatistics statistics =
        new ScanStatistics(
            wanted.size(),
            manifests.size() - wanted.size(),
            entries.size(),
            ScanPlan.countUnits(pruned, staged),
            System.nanoTime() - start);
    return new ScanPlan(snapshot, pruned, staged, statistics);
  }

  /**
   * The buckets of some partitions, with all their visible files; manifests that hold none of them
   * are not read.
   *
   * @param stats whether the files keep their statistics; they must where a file may be moved to
   *     another level, since its new entry stores them again
   */
  public List<BucketFiles> buckets(
      Snapshot snapshot, Set<BinaryRow> partitions, StatsProjection stats) {
    return partitions.isEmpty() ? List.of() : plan(snapshot, partitions, stats).buckets();
  }

  /** All visible files of some partitions; the arguments are those of {@link #buckets}. */
  public ScanPlan plan(Snapshot snapshot, Set<BinaryRow> partitions, StatsProjection stats) {
    List<Predicate> conjuncts = PartitionConditions.anyOf(partitions, schema.partitionType());
    return plan(snapshot, new ScanFilter(conjuncts, stats)).keepPartitions(partitions::contains);
  }

  /**
   * The same plan, pruned by further conditions that became known later, such as those of a runtime
   * filter. Files are pruned by statistics only as far as the plan kept them.
   */
  public ScanPlan narrow(ScanPlan plan, Collection<? extends Predicate> further) {
    long start = System.nanoTime();
    Conditions conditions = Conditions.of(Predicates.conjuncts(further), schema);
    EntryFilter filter = entryFilter(conditions);
    List<BucketFiles> kept =
        plan.buckets().stream()
            .filter(
                bucket ->
                    filter.keepsBucket(bucket.partition(), bucket.bucket(), bucket.totalBuckets()))
            .toList();
    List<StagedPartition> staged =
        plan.staged().stream()
            .map(partition -> partition.keeping(filter::keepsBucket))
            .filter(partition -> !partition.buckets().isEmpty())
            .toList();
    return plan.narrowedTo(filePruner(conditions).prune(kept), staged, start);
  }

  private Collection<ManifestEntry> liveEntries(
      Snapshot snapshot, List<ManifestFile> manifests, Conditions conditions, ScanFilter filter) {
    boolean needsStats = !conditions.key().isEmpty() || !conditions.value().isEmpty();
    StatsProjection stats = needsStats ? StatsProjection.KEEP : filter.stats();
    EntryFilter entryFilter = entryFilter(conditions);
    ManifestMerge merge = new ManifestMerge(storage.layout().snapshot(snapshot.id()).path());
    Integer threads = options.scan().manifestThreads();
    ParallelReads.forEach(
        manifests,
        threads == null ? ParallelReads.DEFAULT_IN_FLIGHT : threads,
        manifest -> storage.manifests().entries(manifest, stats, entryFilter),
        entries -> entries.forEach(entry -> merge.add(projected(entry, stats))));
    return merge.entries().stream().filter(entry -> entry.kind() == EntryKind.ADD).toList();
  }

  private static ManifestEntry projected(ManifestEntry entry, StatsProjection stats) {
    return switch (stats) {
      case KEEP -> entry;
      case SKIP ->
          new ManifestEntry(
              entry.kind(),
              entry.partition(),
              entry.bucket(),
              entry.totalBuckets(),
              entry.file().withoutStats());
    };
  }

  private EntryFilter entryFilter(Conditions conditions) {
    var partitions = conditions.partitionTest(schema.partitionType());
    Optional<BucketPruner> buckets = bucketPruner(conditions);
    Map<BinaryRow, Boolean> wantedPartitions = new ConcurrentHashMap<>();
    return new EntryFilter() {
      @Override
      public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
        boolean isHashed = buckets.isPresent() && bucket != TableLayout.POSTPONE_BUCKET;
        return visible.seesBucket(bucket)
            && (!isHashed || buckets.get().keeps(bucket, totalBuckets))
            && wantedPartitions.computeIfAbsent(partition, partitions::test);
      }

      @Override
      public boolean keepsLevel(int level) {
        return visible.seesLevel(level);
      }
    };
  }

  private Optional<BucketPruner> bucketPruner(Conditions conditions) {
    BucketOptions bucketOptions = options.bucket();
    if (bucketOptions.count() == -1 || conditions.all().isEmpty()) {
      return Optional.empty();
    }
    RowType keyType = schema.rowType().project(bucketOptions.keys());
    Optional<BucketPruner> pruner =
        BucketPruner.of(
            BucketFunction.of(bucketOptions.function(), keyType), keyType, conditions.all());
    return pruner.filter(unused -> alwaysHadTypes(keyType));
  }

  /** Rows keep the bucket that they got by the types of their time. */
  private boolean alwaysHadTypes(RowType keyType) {
    if (schema.id() == 0) {
      return true;
    }
    for (long id : storage.schemas().ids()) {
      RowType before = storage.schemas().load(id).rowType();
      for (DataField column : keyType.fields()) {
        Optional<DataField> then = before.fieldById(column.id());
        if (then.isPresent()
            && !then.get().type().asNullable().equals(column.type().asNullable())) {
          return false;
        }
      }
    }
    return true;
  }

  private FilePruner filePruner(Conditions conditions) {
    return new FilePruner(
        storage.io(),
        addresses,
        new FileBounds(schema, storage.schemas()::load),
        conditions,
        merging(),
        options.scan().fileIndexes() ? IndexUse.USED : IndexUse.IGNORED);
  }

  private Merging merging() {
    if (!schema.hasPrimaryKey()
        || (visible.minLevel() > 0 && VisibleFiles.isUnmerged(schema, options))) {
      return Merging.UNMERGED;
    }
    return switch (options.merge().engine()) {
      case DEDUPLICATE, FIRST_ROW -> Merging.MERGED;
      case PARTIAL_UPDATE, AGGREGATION -> Merging.FOLDED;
    };
  }

  private record BucketId(BinaryRow partition, int bucket) {}

  /** Commits add to the end of what the manifests list, so their order is that of writing. */
  private static Map<BinaryRow, List<DataFile>> staged(Collection<ManifestEntry> entries) {
    Map<BinaryRow, List<DataFile>> staged = new LinkedHashMap<>();
    for (ManifestEntry entry : entries) {
      if (entry.bucket() == TableLayout.POSTPONE_BUCKET) {
        staged
            .computeIfAbsent(entry.partition(), partition -> new ArrayList<>())
            .add(entry.file().withoutStats());
      }
    }
    return staged;
  }

  private List<BucketFiles> group(Snapshot snapshot, Collection<ManifestEntry> entries) {
    Map<BucketId, List<ManifestEntry>> groups = new LinkedHashMap<>();
    for (ManifestEntry entry : entries) {
      if (entry.bucket() != TableLayout.POSTPONE_BUCKET) {
        groups
            .computeIfAbsent(
                new BucketId(entry.partition(), entry.bucket()), id -> new ArrayList<>())
            .add(entry);
      }
    }
    Map<BucketId, BucketVectors> vectors = vectors(snapshot, groups.keySet());
    List<BucketFiles> buckets = new ArrayList<>(groups.size());
    groups.forEach(
        (id, members) -> {
          List<DataFile> files = members.stream().map(ManifestEntry::file).toList();
          int totalBuckets = members.get(members.size() - 1).totalBuckets();
          BucketVectors ofBucket = vectors.getOrDefault(id, BucketVectors.none());
          BucketFiles all =
              new BucketFiles(
                  id.partition,
                  id.bucket,
                  totalBuckets,
                  files,
                  ofBucket.byDataFile(),
                  ofBucket.files(),
                  Set.of());
          buckets.add(all.with(files, Set.of()));
        });
    return buckets;
  }

  private record BucketVectors(Map<String, IndexedVector> byDataFile, List<IndexFile> files) {
    static BucketVectors none() {
      return new BucketVectors(new HashMap<>(), new ArrayList<>());
    }
  }

  private Map<BucketId, BucketVectors> vectors(Snapshot snapshot, Set<BucketId> wanted) {
    Map<BucketId, BucketVectors> vectors = new HashMap<>();
    for (IndexEntry entry : storage.indexEntries(snapshot)) {
      IndexFile file = entry.file();
      List<DeletionVectorRef> refs = file.deletionVectors();
      BucketId id = new BucketId(entry.partition(), entry.bucket());
      if (!file.type().equals(IndexFile.DELETION_VECTORS) || refs == null || !wanted.contains(id)) {
        continue;
      }
      String path = addresses.indexFile(entry.partition(), entry.bucket(), file).path();
      BucketVectors ofBucket = vectors.computeIfAbsent(id, key -> BucketVectors.none());
      ofBucket.files().add(file);
      refs.forEach(ref -> ofBucket.byDataFile().put(ref.dataFile(), new IndexedVector(path, ref)));
    }
    return vectors;
  }
}
