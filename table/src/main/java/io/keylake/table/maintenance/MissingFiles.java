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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Data files that the newest snapshot names and that do not exist, so that queries fail; and the
 * commit that takes them, with their rows, out of the table. Deletion vectors of such a file go
 * with it. Older snapshots and tags stay as they are.
 *
 * <p>Needs memory for the metadata of the table's live files. Pinned by {@code CleanupSparkTest}.
 */
public final class MissingFiles {
  private final CommitTable table;
  private final TableStorage storage;
  private final FileAddresses addresses;

  /**
   * A file that does not exist.
   *
   * @param partition values of the partition columns
   * @param bucket the bucket's number
   * @param totalBuckets the partition's number of buckets
   * @param path where it should be
   * @param file what the manifest says of it
   */
  public record Missing(
      BinaryRow partition, int bucket, int totalBuckets, Location path, DataFile file) {}

  /** What was found, as of one snapshot. */
  public record Found(Snapshot snapshot, List<Missing> files) {
    /** Copies the list. */
    public Found {
      files = List.copyOf(files);
    }
  }

  private record Bucket(BinaryRow partition, int bucket) {}

  /** The missing files of a table's branch. */
  public MissingFiles(CommitTable table) {
    this.table = table;
    this.storage = table.storage();
    this.addresses =
        FileAddresses.of(storage.layout(), table.schema(), table.options().fileLayout());
  }

  /** The missing files of the newest snapshot; empty when there is no snapshot. */
  public Optional<Found> find() {
    return storage.snapshots().latest().map(snapshot -> new Found(snapshot, missing(snapshot)));
  }

  private List<Missing> missing(Snapshot snapshot) {
    ManifestMerge merge = new ManifestMerge(storage.snapshots().file(snapshot.id()).path());
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        storage.dataManifests(snapshot),
        manifest -> storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL),
        merge::addAll);
    Map<Location, List<ManifestEntry>> byFolder = new LinkedHashMap<>();
    for (ManifestEntry entry : merge.entries()) {
      if (entry.kind() == EntryKind.ADD) {
        Location path = addresses.dataFile(entry.partition(), entry.bucket(), entry.file());
        byFolder.computeIfAbsent(path.parent(), folder -> new ArrayList<>()).add(entry);
      }
    }
    List<Missing> missing = new ArrayList<>();
    ParallelReads.<Map.Entry<Location, List<ManifestEntry>>, List<Missing>>forEach(
        byFolder.entrySet(),
        folder -> missing(folder.getKey(), folder.getValue()),
        missing::addAll);
    return missing;
  }

  private List<Missing> missing(Location folder, List<ManifestEntry> entries) {
    Set<String> existing =
        storage.io().list(folder).stream()
            .filter(child -> !child.isDirectory())
            .map(FileStatus::location)
            .map(Location::name)
            .collect(Collectors.toCollection(HashSet::new));
    List<Missing> missing = new ArrayList<>();
    for (ManifestEntry entry : entries) {
      Location path = addresses.dataFile(entry.partition(), entry.bucket(), entry.file());
      if (!existing.contains(path.name())) {
        missing.add(
            new Missing(
                entry.partition(), entry.bucket(), entry.totalBuckets(), path, entry.file()));
      }
    }
    return missing;
  }

  /**
   * Takes the missing files out of the table.
   *
   * @param user commits; must be new
   * @param names names for index files
   * @throws io.keylake.format.errors.CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when
   *     one of them has gone meanwhile
   */
  public void remove(Found found, TableCommitter committer, String user, MetadataFileNames names) {
    Map<Bucket, List<Missing>> byBucket = new LinkedHashMap<>();
    for (Missing missing : found.files()) {
      byBucket
          .computeIfAbsent(
              new Bucket(missing.partition(), missing.bucket()), bucket -> new ArrayList<>())
          .add(missing);
    }
    List<IndexEntry> indexes = storage.indexEntries(found.snapshot());
    List<BucketChange> changes = new ArrayList<>();
    byBucket.forEach(
        (bucket, files) ->
            changes.add(
                new BucketChange(
                    bucket.partition(),
                    bucket.bucket(),
                    files.get(0).totalBuckets(),
                    change(bucket, files, indexes, names),
                    FileChanges.NONE)));
    CommitRequest request =
        CommitRequest.batch(user, changes)
            .basedOn(found.snapshot())
            .withChecks(Set.of(CommitRequest.Check.FILES))
            .withProperties(Map.of(Snapshot.OPERATION, "REMOVE UNEXISTING FILES"));
    boolean isDone = false;
    try {
      committer.commit(request);
      isDone = true;
    } finally {
      if (!isDone) {
        committer.abort(request);
      }
    }
  }

  private FileChanges change(
      Bucket bucket, List<Missing> files, List<IndexEntry> indexes, MetadataFileNames names) {
    Set<String> gone =
        files.stream().map(missing -> missing.file().name()).collect(Collectors.toSet());
    List<IndexFile> removed = new ArrayList<>();
    List<IndexFile> added = new ArrayList<>();
    for (IndexEntry index : indexes) {
      boolean isOfBucket =
          index.partition().equals(bucket.partition()) && index.bucket() == bucket.bucket();
      if (isOfBucket && hasVectorOf(index.file(), gone)) {
        removed.add(index.file());
        Map<String, DeletionVector> vectors = vectors(index);
        vectors.keySet().removeAll(gone);
        if (!vectors.isEmpty()) {
          added.add(write(bucket, vectors, names));
        }
      }
    }
    return new FileChanges(
        List.of(), files.stream().map(Missing::file).toList(), List.of(), added, removed);
  }

  private static boolean hasVectorOf(IndexFile file, Set<String> dataFiles) {
    var vectors = file.deletionVectors();
    return vectors != null
        && vectors.stream().anyMatch(vector -> dataFiles.contains(vector.dataFile()));
  }

  private Map<String, DeletionVector> vectors(IndexEntry index) {
    Location place = addresses.indexFile(index.partition(), index.bucket(), index.file());
    return new LinkedHashMap<>(
        DeletionVectorFile.decode(storage.io().read(place), index.file(), place.path()));
  }

  private IndexFile write(
      Bucket bucket, Map<String, DeletionVector> vectors, MetadataFileNames names) {
    DeletionVectorFile encoded =
        DeletionVectorFile.encode(vectors, table.options().vectors().version());
    IndexFile file = encoded.toIndexFile(names.index());
    storage
        .io()
        .create(addresses.indexFile(bucket.partition(), bucket.bucket(), file), encoded.content());
    return file;
  }
}
