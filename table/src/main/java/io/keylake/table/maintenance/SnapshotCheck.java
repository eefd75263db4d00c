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

package io.keylake.table.maintenance;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks a snapshot: its metadata files and counts itself, its buckets with {@link BucketCheck}.
 */
final class SnapshotCheck {
  private final TableStorage storage;
  private final TableSchema schema;
  private final Problems problems;
  private final ManifestCheck manifestCheck;
  private final BucketCheck bucketCheck;
  private final Map<String, List<ManifestEntry>> readManifests = new HashMap<>();

  SnapshotCheck(TableStorage storage, TableSchema schema, TableCheck.Rows rows, Problems problems) {
    this.storage = storage;
    this.schema = schema;
    this.problems = problems;
    this.manifestCheck = new ManifestCheck(schema.partitionType(), problems);
    this.bucketCheck = new BucketCheck(storage, schema, rows, problems);
  }

  void check(Snapshot snapshot, String place) {
    if (!storage.schemas().ids().contains(snapshot.schemaId())) {
      problems.add(Kind.SCHEMA_MISSING, place, "schema " + snapshot.schemaId() + " does not exist");
    }
    problems.guard(Kind.METADATA_UNREADABLE, place, () -> files(snapshot, place));
    problems.guard(Kind.METADATA_UNREADABLE, place, () -> changelog(snapshot, place));
  }

  private void files(Snapshot snapshot, String place) {
    exists(snapshot.baseManifestList(), snapshot.baseManifestListSize(), place);
    exists(snapshot.deltaManifestList(), snapshot.deltaManifestListSize(), place);
    List<ManifestEntry> entries = entries(storage.baseManifests(snapshot), place);
    List<ManifestEntry> delta = entries(storage.deltaManifests(snapshot), place);
    count(
        place,
        "delta records",
        snapshot.deltaRecordCount(),
        delta,
        entry ->
            entry.kind() == EntryKind.ADD ? entry.file().rowCount() : -entry.file().rowCount());
    entries.addAll(delta);
    List<ManifestEntry> live = live(entries, place);
    count(
        place,
        "total records",
        snapshot.totalRecordCount(),
        live,
        entry -> entry.file().rowCount());
    bucketCounts(live, place);
    buckets(live, indexes(snapshot, place), place);
  }

  private void changelog(Snapshot snapshot, String place) {
    String list = snapshot.changelogManifestList();
    if (list == null) {
      return;
    }
    exists(list, snapshot.changelogManifestListSize(), place);
    List<ManifestEntry> entries = entries(storage.changelogManifests(snapshot), place);
    Long records = snapshot.changelogRecordCount();
    if (records != null) {
      count(place, "changelog records", records, entries, entry -> entry.file().rowCount());
    }
    entries.forEach(bucketCheck::changelog);
  }

  /** Looks at storage itself, since contents may come from a cache. */
  private void exists(String metadataFile, @Nullable Long size, String place) {
    Optional<FileStatus> status = storage.io().status(storage.layout().manifest(metadataFile));
    if (status.isEmpty()) {
      problems.add(Kind.METADATA_UNREADABLE, place, metadataFile + " does not exist");
    } else if (size != null && status.get().length() != size) {
      problems.add(
          Kind.METADATA_UNREADABLE,
          place,
          metadataFile + " has " + status.get().length() + " bytes, not " + size);
    }
  }

  private List<ManifestEntry> entries(List<ManifestFile> manifests, String place) {
    List<ManifestEntry> entries = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      List<ManifestEntry> known = readManifests.get(manifest.name());
      if (known == null) {
        known = entries(manifest, place);
        readManifests.put(manifest.name(), known);
      }
      entries.addAll(known);
    }
    return entries;
  }

  private List<ManifestEntry> entries(ManifestFile manifest, String place) {
    exists(manifest.name(), manifest.size(), place);
    try {
      List<ManifestEntry> entries =
          storage.manifests().entries(manifest, StatsProjection.KEEP, EntryFilter.ALL);
      manifestCheck.check(manifest, entries);
      return entries;
    } catch (CorruptTableException e) {
      problems.add(Kind.METADATA_UNREADABLE, place, e.getMessage());
      return List.of();
    }
  }

  private void count(
      String place,
      String what,
      long stated,
      List<ManifestEntry> entries,
      ToLongFunction<ManifestEntry> rows) {
    long counted = entries.stream().mapToLong(rows).sum();
    if (counted != stated) {
      problems.add(
          Kind.RECORD_COUNT, place, stated + " " + what + " stated, the files have " + counted);
    }
  }

  private List<ManifestEntry> live(List<ManifestEntry> entries, String place) {
    ManifestMerge merge = new ManifestMerge(place);
    for (ManifestEntry entry : entries) {
      problems.guard(Kind.FILE_ADDED_TWICE, place, () -> merge.add(entry));
    }
    List<ManifestEntry> live = new ArrayList<>();
    for (ManifestEntry entry : merge.entries()) {
      if (entry.kind() == EntryKind.ADD) {
        live.add(entry);
      } else {
        problems.add(
            Kind.FILE_REMOVED_TWICE,
            place,
            "data file " + entry.file().name() + " is removed but was not there");
      }
    }
    return live;
  }

  private void bucketCounts(List<ManifestEntry> live, String place) {
    Map<BinaryRow, Set<Integer>> counts = new LinkedHashMap<>();
    for (ManifestEntry entry : live) {
      if (entry.bucket() >= 0) {
        counts.computeIfAbsent(entry.partition(), key -> new HashSet<>()).add(entry.totalBuckets());
        if (entry.totalBuckets() > 0 && entry.bucket() >= entry.totalBuckets()) {
          problems.add(
              Kind.BUCKET_COUNT,
              place,
              "bucket " + entry.bucket() + " of a partition of " + entry.totalBuckets());
        }
      }
    }
    counts.forEach(
        (partition, totals) -> {
          if (totals.size() > 1) {
            problems.add(
                Kind.BUCKET_COUNT, place, "a partition has files of " + totals + " buckets");
          }
        });
  }

  private List<IndexEntry> indexes(Snapshot snapshot, String place) {
    String manifest = snapshot.indexManifest();
    if (manifest == null) {
      return List.of();
    }
    exists(manifest, null, place);
    return storage.indexEntries(snapshot);
  }

  private void buckets(List<ManifestEntry> live, List<IndexEntry> indexes, String place) {
    Map<BinaryRow, Map<Integer, BucketCheck.Contents>> partitions = new LinkedHashMap<>();
    for (ManifestEntry entry : live) {
      contents(partitions, entry.partition(), entry.bucket()).files().add(entry);
    }
    for (IndexEntry entry : indexes) {
      contents(partitions, entry.partition(), entry.bucket()).indexes().add(entry);
    }
    KeyPlaces keyPlaces = new KeyPlaces(schema);
    partitions.forEach(
        (partition, buckets) -> {
          HashOwners hashes = new HashOwners();
          buckets.forEach(
              (bucket, contents) -> bucketCheck.check(contents, bucket, place, hashes, keyPlaces));
          hashes.report(problems, place);
        });
    keyPlaces.report(problems, place);
  }

  private static BucketCheck.Contents contents(
      Map<BinaryRow, Map<Integer, BucketCheck.Contents>> partitions,
      BinaryRow partition,
      int bucket) {
    return partitions
        .computeIfAbsent(partition, key -> new TreeMap<>())
        .computeIfAbsent(bucket, key -> new BucketCheck.Contents());
  }
}
