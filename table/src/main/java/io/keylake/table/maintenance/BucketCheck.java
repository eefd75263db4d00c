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
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.maintenance.TableProblem.Kind;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the files of buckets: that they exist, their levels, and with others their contents. */
final class BucketCheck {
  /** The live files of a bucket; filled by the reader of manifests. */
  record Contents(List<ManifestEntry> files, List<IndexEntry> indexes) {
    Contents() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private record Seen(Set<FileIdentity> files, Set<String> indexes) {
    static Seen of(Contents bucket) {
      return new Seen(
          bucket.files().stream().map(FileIdentity::of).collect(Collectors.toSet()),
          bucket.indexes().stream().map(entry -> entry.file().name()).collect(Collectors.toSet()));
    }
  }

  private final TableStorage storage;
  private final TableSchema schema;
  private final Problems problems;
  private final FileAddresses addresses;
  private final IndexCheck indexCheck;
  private final RowsCheck rowsCheck;
  private final int levels;
  private final Map<Seen, KeyPlaces.Keys> seen = new HashMap<>();
  private final Map<String, Boolean> readable = new HashMap<>();

  BucketCheck(TableStorage storage, TableSchema schema, TableCheck.Rows rows, Problems problems) {
    this.storage = storage;
    this.schema = schema;
    this.problems = problems;
    TableOptions options = TableOptions.of(schema);
    this.addresses = FileAddresses.of(storage.layout(), schema, options.fileLayout());
    this.indexCheck = new IndexCheck(storage.io(), addresses, BucketMode.of(schema), problems);
    this.rowsCheck = new RowsCheck(storage.schemas(), addresses, schema, rows, problems);
    this.levels = options.compaction().levels();
  }

  void check(Contents bucket, int number, String snapshot, HashOwners owners, KeyPlaces keyPlaces) {
    String place = snapshot + ", bucket " + number + partition(bucket);
    IndexCheck.Indexes indexes = indexCheck.check(bucket, place);
    if (indexes.hashes() != null) {
      owners.add(indexes.hashes(), number);
    }
    keyPlaces.add(
        seen.computeIfAbsent(Seen.of(bucket), state -> contents(bucket, number, indexes, place)));
  }

  private KeyPlaces.Keys contents(
      Contents bucket, int number, IndexCheck.Indexes indexes, String place) {
    levels(bucket, number, place);
    List<ManifestEntry> present = bucket.files().stream().filter(this::isReadable).toList();
    return rowsCheck.bucket(present, number, indexes, place);
  }

  private String partition(Contents bucket) {
    if (schema.partitionKeys().isEmpty()) {
      return "";
    }
    var partition =
        bucket.files().isEmpty()
            ? bucket.indexes().get(0).partition()
            : bucket.files().get(0).partition();
    return " of partition " + BinaryRowCodec.of(schema.partitionType()).decode(partition);
  }

  /** A changelog file, which is part of no bucket's state. */
  void changelog(ManifestEntry entry) {
    boolean first = !readable.containsKey(path(entry).path());
    if (isReadable(entry) && first) {
      rowsCheck.changelog(entry);
    }
  }

  private Location path(ManifestEntry entry) {
    return addresses.dataFile(entry.partition(), entry.bucket(), entry.file());
  }

  private boolean isReadable(ManifestEntry entry) {
    return readable.computeIfAbsent(path(entry).path(), path -> exists(entry, path(entry)));
  }

  private boolean exists(ManifestEntry entry, Location path) {
    DataFile file = entry.file();
    String place = "file " + file.name();
    for (String extra : file.extraFiles()) {
      Location side = addresses.extraFile(entry.partition(), entry.bucket(), file, extra);
      if (!storage.io().exists(side)) {
        problems.add(Kind.FILE_MISSING, place, "its side file " + side + " does not exist");
      }
    }
    if (!storage.schemas().ids().contains(file.schemaId())) {
      problems.add(Kind.SCHEMA_MISSING, place, "schema " + file.schemaId() + " does not exist");
      return false;
    }
    Optional<FileStatus> status = storage.io().status(path);
    if (status.isEmpty()) {
      problems.add(Kind.FILE_MISSING, place, path + " does not exist");
      return false;
    }
    if (status.get().length() != file.size()) {
      problems.add(
          Kind.FILE_SIZE,
          place,
          "has " + status.get().length() + " bytes, its metadata says " + file.size());
      return false;
    }
    return true;
  }

  private void levels(Contents bucket, int number, String place) {
    Map<Integer, List<DataFile>> byLevel = new HashMap<>();
    for (ManifestEntry entry : bucket.files()) {
      int level = entry.file().level();
      boolean possible =
          level == 0 || (schema.hasPrimaryKey() && number >= 0 && level > 0 && level < levels);
      if (!possible) {
        problems.add(
            Kind.LEVEL_RANGE, place, "file " + entry.file().name() + " is on level " + level);
      }
      if (level > 0 && schema.hasPrimaryKey()) {
        byLevel.computeIfAbsent(level, key -> new ArrayList<>()).add(entry.file());
      }
    }
    byLevel.forEach((level, files) -> level(level, files, place));
  }

  private void level(int level, List<DataFile> files, String place) {
    KeyComparator order = KeyComparator.of(schema.keyType());
    files.sort(Comparator.comparing(DataFile::minKey, order));
    for (int i = 1; i < files.size(); i++) {
      if (order.compare(files.get(i - 1).maxKey(), files.get(i).minKey()) >= 0) {
        problems.add(
            Kind.LEVEL_OVERLAP,
            place,
            "files %s and %s overlap on level %d"
                .formatted(files.get(i - 1).name(), files.get(i).name(), level));
      }
    }
  }
}
