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
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.DataFileNames;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.LakeTable;
import io.keylake.table.reference.VersionDifference;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * The copies that bring files of an older version back: under new names, since the history has
 * taken the old names out of the table. Whoever expires that history, of this or another engine,
 * deletes the files of those names. Rows, levels, sequence numbers and row ids are those of the
 * originals. A file is copied once, however often it is asked for.
 *
 * <p>Lives on the driver, for one thread.
 */
final class RestoredFiles {
  private record Bucket(BinaryRow partition, int number) {}

  private final LakeTable table;
  private final FileAddresses addresses;
  private final DataFileNames names;
  private final MetadataFileNames indexNames;
  private final Map<FileIdentity, DataFile> copies = new HashMap<>();
  private final List<Location> made = new ArrayList<>();

  RestoredFiles(LakeTable table, Ids ids) {
    this.table = table;
    this.addresses = table.addresses();
    this.names = new DataFileNames(ids);
    this.indexNames = new MetadataFileNames(ids);
  }

  /**
   * Copies the data files that have to come, with their side files, as far as that has not been
   * done before.
   *
   * @throws InvalidRequestException KEYLAKE_VERSION_NOT_FOUND when one of them does not exist
   */
  void copy(VersionDifference difference, SparkContext spark, int parallelism) {
    Configuration configuration = ((HadoopFileIO) table.storage().io()).configuration();
    List<FileCopies.Copy> work = new ArrayList<>();
    for (ManifestEntry entry : difference.added()) {
      if (!copies.containsKey(FileIdentity.of(entry))) {
        DataFile copy = named(entry.file());
        copies.put(FileIdentity.of(entry), copy);
        plan(entry, copy, work);
      }
    }
    try {
      FileCopies.run(spark, configuration, work, parallelism);
    } catch (Exception e) {
      Location missing = firstMissing(work);
      if (table.storage().io().exists(missing)) {
        throw e;
      }
      throw gone(missing, e);
    }
  }

  private DataFile named(DataFile file) {
    String name = names.nextCopy(table.options().fileLayout().dataFilePrefix(), file.name());
    return file.copiedAs(
        name,
        file.extraFiles().stream()
            .map(
                extra ->
                    extra.startsWith(file.name())
                        ? name + extra.substring(file.name().length())
                        : name + "." + extra)
            .toList());
  }

  private void plan(ManifestEntry entry, DataFile copy, List<FileCopies.Copy> work) {
    DataFile file = entry.file();
    Location to = addresses.dataFile(entry.partition(), entry.bucket(), copy);
    work.add(
        new FileCopies.Copy(
            addresses.dataFile(entry.partition(), entry.bucket(), file).path(),
            to.path(),
            file.size()));
    made.add(to);
    for (int i = 0; i < file.extraFiles().size(); i++) {
      Location from =
          addresses.extraFile(entry.partition(), entry.bucket(), file, file.extraFiles().get(i));
      Location target =
          addresses.extraFile(entry.partition(), entry.bucket(), copy, copy.extraFiles().get(i));
      long bytes = table.storage().io().status(from).orElseThrow(() -> gone(from, null)).length();
      work.add(new FileCopies.Copy(from.path(), target.path(), bytes));
      made.add(target);
    }
  }

  private Location firstMissing(List<FileCopies.Copy> work) {
    return work.stream()
        .map(copy -> new Location(copy.from()))
        .filter(file -> !table.storage().io().exists(file))
        .findFirst()
        .orElseGet(() -> new Location(work.get(0).from()));
  }

  private InvalidRequestException gone(Location file, @Nullable Exception cause) {
    String oldest =
        table.storage().snapshots().earliestId().stream()
            .mapToObj(id -> " The oldest snapshot is " + id + ".")
            .findFirst()
            .orElse("");
    return new InvalidRequestException(
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "Cannot restore a version of "
            + table.name()
            + ": its file "
            + file
            + " is gone."
            + oldest
            + " Restore another version.",
        cause);
  }

  /** The copy of a file. */
  DataFile copyOf(ManifestEntry entry) {
    DataFile copy = copies.get(FileIdentity.of(entry));
    if (copy == null) {
      throw new IllegalArgumentException("Never copied: " + entry);
    }
    return copy;
  }

  /**
   * Writes the index files that have to come anew: deletion vectors for the new names of data
   * files, others as they are.
   */
  List<IndexEntry> indexes(VersionDifference difference) {
    Map<Bucket, Map<String, String>> newNames = new HashMap<>();
    for (ManifestEntry entry : difference.added()) {
      newNames
          .computeIfAbsent(new Bucket(entry.partition(), entry.bucket()), key -> new HashMap<>())
          .put(entry.file().name(), copyOf(entry).name());
    }
    List<IndexEntry> written = new ArrayList<>();
    for (IndexEntry entry : difference.addedIndexes()) {
      Bucket bucket = new Bucket(entry.partition(), entry.bucket());
      IndexFile file =
          entry.file().type().equals(IndexFile.DELETION_VECTORS)
              ? vectors(entry, newNames.getOrDefault(bucket, Map.of()))
              : copied(entry);
      written.add(new IndexEntry(entry.partition(), entry.bucket(), file));
    }
    return written;
  }

  private IndexFile vectors(IndexEntry entry, Map<String, String> newNames) {
    Map<String, DeletionVector> renamed = new LinkedHashMap<>();
    DeletionVectorFile.decode(content(entry), entry.file(), place(entry, entry.file()).path())
        .forEach((name, vector) -> renamed.put(newNames.getOrDefault(name, name), vector));
    DeletionVectorFile encoded =
        DeletionVectorFile.encode(renamed, table.options().vectors().version());
    IndexFile file = encoded.toIndexFile(indexNames.index());
    create(entry, file, encoded.content());
    return file;
  }

  private IndexFile copied(IndexEntry entry) {
    IndexFile original = entry.file();
    List<DeletionVectorRef> vectors = original.deletionVectors();
    IndexFile file =
        new IndexFile(
            original.type(),
            indexNames.index(),
            original.size(),
            original.rowCount(),
            vectors,
            null,
            original.globalIndex());
    create(entry, file, content(entry));
    return file;
  }

  private byte[] content(IndexEntry entry) {
    Location file = place(entry, entry.file());
    return table.storage().io().readIfExists(file).orElseThrow(() -> gone(file, null));
  }

  private void create(IndexEntry entry, IndexFile file, byte[] content) {
    Location place = place(entry, file);
    made.add(place);
    table.storage().io().create(place, content);
  }

  private Location place(IndexEntry entry, IndexFile file) {
    return addresses.indexFile(entry.partition(), entry.bucket(), file);
  }

  /** Every file that was made, for deleting them when nothing came of it. */
  List<Location> made() {
    return List.copyOf(made);
  }
}
