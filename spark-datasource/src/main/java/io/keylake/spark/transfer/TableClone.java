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

package io.keylake.spark.transfer;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;

/**
 * Copies one version of a table into another table, file by file: data files of all levels with
 * their side files, deletion vectors and hash indexes. The other table has the same schemas, under
 * the same ids, and gets one snapshot; history, tags, branches and changelogs are not copied.
 *
 * <p>Names of files come from the metadata of the source: the layouts of both tables refuse those
 * that lead elsewhere. Lives on the driver, for one thread.
 */
public final class TableClone {
  private record Bucket(BinaryRow partition, int number) {}

  private final LakeTable source;
  private final Snapshot snapshot;
  private final PartitionChoice partitions;

  /** A copy of {@code snapshot} of a table, of some partitions. */
  public TableClone(LakeTable source, Snapshot snapshot, PartitionChoice partitions) {
    this.source = source;
    this.snapshot = snapshot;
    this.partitions = partitions;
  }

  /** What is copied. */
  public record Outcome(long files, long bytes) {}

  /** Gives a new table without snapshots the schemas of the source, instead of its own. */
  public static void copySchemas(TableStorage source, TableStorage target) {
    for (long id : source.schemas().ids()) {
      byte[] content = source.io().read(source.layout().schema(id));
      target.io().overwrite(target.layout().schema(id), content);
    }
  }

  /** What a copy would copy. */
  public Outcome planned() {
    long files = 0;
    long bytes = 0;
    for (ManifestEntry entry : entries()) {
      files++;
      bytes += entry.file().size();
    }
    return new Outcome(files, bytes);
  }

  private List<ManifestEntry> entries() {
    TableStorage storage = source.storage();
    ManifestMerge merge = new ManifestMerge(storage.snapshots().file(snapshot.id()).path());
    for (ManifestFile manifest : storage.dataManifests(snapshot)) {
      merge.addAll(storage.manifests().entries(manifest, StatsProjection.KEEP, EntryFilter.ALL));
    }
    Set<BinaryRow> all = new LinkedHashSet<>();
    merge.entries().forEach(entry -> all.add(entry.partition()));
    Set<BinaryRow> wanted = new HashSet<>(partitions.chosen(all));
    return merge.entries().stream().filter(entry -> wanted.contains(entry.partition())).toList();
  }

  /** Copies all files and commits them. */
  public Outcome into(LakeTable target, SparkContext spark, int parallelism, Ids ids) {
    Configuration configuration = ((HadoopFileIO) source.storage().io()).configuration();
    FileAddresses from = source.addresses();
    FileAddresses to = target.addresses();
    List<FileCopies.Copy> copies = new ArrayList<>();
    Map<Bucket, List<DataFile>> files = new LinkedHashMap<>();
    Map<Bucket, Integer> counts = new LinkedHashMap<>();
    long bytes = 0;
    long number = 0;
    for (ManifestEntry entry : entries()) {
      Bucket bucket = new Bucket(entry.partition(), entry.bucket());
      DataFile placed = entry.file().withoutExternalPath();
      files.computeIfAbsent(bucket, key -> new ArrayList<>()).add(placed);
      counts.put(bucket, entry.totalBuckets());
      copies.add(
          new FileCopies.Copy(
              from.dataFile(entry.partition(), entry.bucket(), entry.file()).path(),
              to.dataFile(entry.partition(), entry.bucket(), placed).path(),
              entry.file().size()));
      for (String extra : entry.file().extraFiles()) {
        copies.add(
            copy(
                from.extraFile(entry.partition(), entry.bucket(), entry.file(), extra),
                to.extraFile(entry.partition(), entry.bucket(), placed, extra)));
      }
      number++;
      bytes += entry.file().size();
    }
    Set<BinaryRow> wanted = new HashSet<>();
    files.keySet().forEach(bucket -> wanted.add(bucket.partition()));
    Map<Bucket, List<IndexFile>> indexes = indexes(from, to, copies, wanted);
    FileCopies.run(spark, configuration, copies, parallelism);
    indexes.keySet().forEach(bucket -> files.computeIfAbsent(bucket, key -> new ArrayList<>()));
    commit(target, files, counts, indexes, ids);
    return new Outcome(number, bytes);
  }

  private Map<Bucket, List<IndexFile>> indexes(
      FileAddresses from, FileAddresses to, List<FileCopies.Copy> copies, Set<BinaryRow> wanted) {
    Map<Bucket, List<IndexFile>> indexes = new LinkedHashMap<>();
    for (IndexEntry entry : source.storage().indexEntries(snapshot)) {
      if (!wanted.contains(entry.partition())) {
        continue;
      }
      IndexFile file = entry.file();
      IndexFile placed =
          new IndexFile(
              file.type(),
              file.name(),
              file.size(),
              file.rowCount(),
              file.deletionVectors(),
              null,
              file.globalIndex());
      indexes
          .computeIfAbsent(new Bucket(entry.partition(), entry.bucket()), key -> new ArrayList<>())
          .add(placed);
      copies.add(
          new FileCopies.Copy(
              from.indexFile(entry.partition(), entry.bucket(), file).path(),
              to.indexFile(entry.partition(), entry.bucket(), placed).path(),
              file.size()));
    }
    return indexes;
  }

  private FileCopies.Copy copy(Location from, Location to) {
    long bytes = source.storage().io().status(from).map(status -> status.length()).orElse(0L);
    return new FileCopies.Copy(from.path(), to.path(), bytes);
  }

  private static void commit(
      LakeTable target,
      Map<Bucket, List<DataFile>> files,
      Map<Bucket, Integer> counts,
      Map<Bucket, List<IndexFile>> indexes,
      Ids ids) {
    List<BucketChange> changes = new ArrayList<>();
    files.forEach(
        (bucket, added) ->
            changes.add(
                new BucketChange(
                    bucket.partition(),
                    bucket.number(),
                    counts.getOrDefault(bucket, -1),
                    new FileChanges(
                        added,
                        List.of(),
                        List.of(),
                        indexes.getOrDefault(bucket, List.of()),
                        List.of()),
                    FileChanges.NONE)));
    target
        .committer(CommitEnvironment.system())
        .commit(CommitRequest.batch(target.newCommitUser(ids), changes));
  }
}
