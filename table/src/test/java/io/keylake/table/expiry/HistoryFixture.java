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

package io.keylake.table.expiry;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.golden.DataFiles;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.MemoryFileIO;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A table of two partitions, at metadata level, in memory; its data files are one byte each. A
 * writer of the table expires nothing.
 */
final class HistoryFixture {
  static final long NOW = 1_700_000_000_000L;
  static final Location ROOT = new Location("memory:/t");

  final FileIO io;
  final TableSchema schema;

  /** As the writer sees the table: it makes changelog files whatever this version supports. */
  private final TableSchema writer;

  private final int[] names = new int[2];

  private HistoryFixture(FileIO io, TableSchema schema, TableSchema writer) {
    this.io = io;
    this.schema = schema;
    this.writer = writer;
  }

  static HistoryFixture create(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.putIfAbsent("write-only", "true");
    Map<String, String> ofWriter = new HashMap<>(all);
    ofWriter.remove("changelog-producer");
    HistoryFixture fixture = new HistoryFixture(new MemoryFileIO(), schema(all), schema(ofWriter));
    fixture.storage().schemas().publish(fixture.schema);
    return fixture;
  }

  private static TableSchema schema(Map<String, String> options) {
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        List.of(
            DataField.of(0, "p", DataTypes.STRING.asNotNull()),
            DataField.of(1, "v", DataTypes.STRING)),
        1,
        List.of("p"),
        List.of(),
        options,
        null,
        NOW,
        UnknownKeys.NONE);
  }

  TableStorage storage() {
    return storage(io);
  }

  TableStorage storage(FileIO other) {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
    return new TableStorage("db.t", other, TableLayout.of(ROOT), clock, new ManifestCache(0));
  }

  TableOptions options() {
    return TableOptions.of(schema);
  }

  HistoryTable history(TableStorage storage) {
    return new HistoryTable(storage, schema, options());
  }

  FileAddresses addresses() {
    return FileAddresses.of(TableLayout.of(ROOT), schema, options().fileLayout());
  }

  BinaryRow partition(String value) {
    return BinaryRowCodec.of(schema.partitionType()).encode(List.of(value));
  }

  /** A request that expires all but the newest {@code kept}. */
  static ExpiryRequest keep(int kept) {
    return new ExpiryRequest(kept, kept, Instant.ofEpochMilli(0), Long.MAX_VALUE);
  }

  /** A new data file of one row that exists, maybe with a side file. */
  DataFile newFile(String partition, String prefix, Extra extra) {
    String name = prefix + "-" + names[0]++ + ".parquet";
    DataFiles file = DataFiles.named(name).rows(1);
    if (extra == Extra.INDEX) {
      file.extraFiles(List.of(name + ".index"));
    }
    DataFile built = file.build();
    Location location = addresses().dataFile(partition(partition), 0, built);
    io.create(location, new byte[1]);
    built.extraFiles().forEach(side -> io.create(location.parent().child(side), new byte[1]));
    return built;
  }

  enum Extra {
    NONE,
    INDEX
  }

  /** A new index file that exists. */
  IndexFile newIndex() {
    String name = "index-" + names[0]++;
    io.create(TableLayout.of(ROOT).indexFolder().child(name), new byte[1]);
    return new IndexFile(IndexFile.HASH, name, 1, 1, null, null, null);
  }

  Snapshot commit(TableStorage storage, String partition, FileChanges changes) {
    return commit(
        storage, Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC), partition, changes);
  }

  Snapshot commit(TableStorage storage, Clock clock, String partition, FileChanges changes) {
    CommitEnvironment environment =
        new CommitEnvironment(clock, () -> "id" + names[1]++, new Random(7), pause -> {});
    BucketChange change = new BucketChange(partition(partition), 0, -1, changes, FileChanges.NONE);
    return new TableCommitter(
            new CommitTable(storage, writer, TableOptions.of(writer)), environment)
        .commit(CommitRequest.batch("user" + names[1]++, List.of(change)))
        .newest()
        .orElseThrow();
  }

  Snapshot append(TableStorage storage, String partition) {
    return commit(
        storage, partition, FileChanges.added(List.of(newFile(partition, "data", Extra.NONE))));
  }

  static FileChanges replaced(List<DataFile> removed, List<DataFile> added) {
    return new FileChanges(added, removed, List.of(), List.of(), List.of());
  }

  /** All files whose life depends on versions: data, manifests, index files, statistics. */
  Set<String> managedFiles() {
    Set<String> files = new TreeSet<>();
    for (String folder : List.of("manifest", "index", "statistics", "p=a", "p=b")) {
      walk(ROOT.child(folder), files);
    }
    return files;
  }

  private void walk(Location folder, Set<String> files) {
    for (FileStatus child : io.list(folder)) {
      if (child.isDirectory()) {
        walk(child.location(), files);
      } else {
        files.add(child.location().path());
      }
    }
  }
}
