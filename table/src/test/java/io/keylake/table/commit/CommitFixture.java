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

package io.keylake.table.commit;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.golden.DataFiles;
import io.keylake.table.options.TableOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A table partitioned by {@code p} with the key {@code k}, at metadata level only. */
final class CommitFixture {
  static final long NOW = 1_700_000_000_000L;

  /** Storage of all tables here; folders of tests differ. */
  static final FileIO STORAGE = new MemoryFileIO();

  final Location root;
  final TableSchema schema;
  final List<Duration> pauses = new ArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();

  private CommitFixture(Location root, TableSchema schema) {
    this.root = root;
    this.schema = schema;
  }

  /** A primary-key table of two buckets with more options. */
  static CommitFixture keyed(Path folder, Map<String, String> options) {
    return create(folder, schema(List.of("p", "k"), with(options, "bucket", "2")));
  }

  /** A primary-key table whose rows others stage. */
  static CommitFixture postpone(Path folder) {
    return create(folder, schema(List.of("p", "k"), Map.of("bucket", "-2")));
  }

  /** A primary-key table of dynamic buckets. */
  static CommitFixture dynamic(Path folder) {
    return create(folder, schema(List.of("p", "k"), Map.of()));
  }

  /** An append table without buckets. */
  static CommitFixture append(Path folder, Map<String, String> options) {
    return create(folder, schema(List.of(), options));
  }

  private static Map<String, String> with(Map<String, String> options, String key, String value) {
    Map<String, String> all = new HashMap<>(options);
    all.put(key, value);
    return all;
  }

  private static TableSchema schema(List<String> keys, Map<String, String> options) {
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        List.of(
            DataField.of(0, "p", DataTypes.STRING.asNotNull()),
            DataField.of(1, "k", DataTypes.INT.asNotNull()),
            DataField.of(2, "v", DataTypes.STRING)),
        2,
        List.of("p"),
        keys,
        options,
        null,
        NOW,
        UnknownKeys.NONE);
  }

  private static CommitFixture create(Path folder, TableSchema schema) {
    CommitFixture fixture = new CommitFixture(new Location(folder.toUri().toString()), schema);
    new SchemaStore(STORAGE, fixture.layout()).publish(schema);
    return fixture;
  }

  TableLayout layout() {
    return TableLayout.of(root);
  }

  TableStorage storage(FileIO io) {
    Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
    return new TableStorage("db.t", io, layout(), clock, new ManifestCache(0));
  }

  TableStorage storage() {
    return storage(STORAGE);
  }

  CommitTable table(FileIO io) {
    return new CommitTable(storage(io), schema, TableOptions.of(schema));
  }

  CommitEnvironment environment() {
    return new CommitEnvironment(
        Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC),
        () -> "id" + ids.incrementAndGet(),
        new Random(7),
        pauses::add);
  }

  TableCommitter committer() {
    return committer(STORAGE, null);
  }

  TableCommitter committer(FileIO io, @Nullable SequenceRebase rebase) {
    return new TableCommitter(table(io), environment(), rebase);
  }

  static BinaryRow partition(String value) {
    return BinaryRowCodec.of(partitionType()).encode(List.of(value));
  }

  private static RowType partitionType() {
    return schema(List.of(), Map.of()).partitionType();
  }

  static BinaryRow key(int value) {
    return BinaryRowCodec.of(schema(List.of("p", "k"), Map.of()).keyType()).encode(List.of(value));
  }

  /**
   * A level-0 file of keys {@code min} to {@code max}, one row each, numbered from {@code first}.
   */
  static DataFile file(String name, int min, int max, long first) {
    long rows = max - min + 1L;
    return DataFiles.named(name)
        .rows(rows)
        .keys(key(min), key(max))
        .sequence(first, first + rows - 1)
        .build();
  }

  static BucketChange added(String partition, DataFile... files) {
    return change(partition, FileChanges.added(List.of(files)), FileChanges.NONE);
  }

  static BucketChange change(String partition, FileChanges written, FileChanges compacted) {
    return new BucketChange(partition(partition), 0, 2, written, compacted);
  }

  /** What was only compacted in a bucket of partition {@code a}. */
  static BucketChange compacted(int bucket, FileChanges files) {
    return new BucketChange(partition("a"), bucket, 2, FileChanges.NONE, files);
  }

  static FileChanges changes(List<DataFile> added, List<DataFile> removed) {
    return new FileChanges(added, removed, List.of(), List.of(), List.of());
  }

  /** Makes the files of a change exist. */
  void store(BucketChange change) {
    new NewFiles(table(STORAGE))
        .all(change)
        .forEach(file -> STORAGE.create(file, "data".getBytes(StandardCharsets.UTF_8)));
  }

  Location location(String partition, DataFile file) {
    return table(STORAGE).addresses().dataFile(partition(partition), 0, file);
  }

  Snapshot latest() {
    return storage().snapshots().latest().orElseThrow();
  }

  /** All live entries of a snapshot. */
  Collection<ManifestEntry> live(@Nullable Snapshot snapshot) {
    TouchedPartitions all = TouchedPartitions.where(partition -> true, schema.partitionType());
    return new BaseFiles(table(STORAGE)).live(snapshot, all, StatsProjection.KEEP).values();
  }

  /** The names of the live files of the newest snapshot, with their level. */
  List<String> liveNames() {
    return live(storage().snapshots().latest().orElse(null)).stream()
        .map(entry -> entry.file().name() + "@" + entry.file().level())
        .sorted()
        .toList();
  }

  /** All manifest files, lists and index manifests on storage. */
  List<String> manifestFiles() {
    return STORAGE.list(layout().manifestFolder()).stream()
        .map(status -> status.location().name())
        .sorted()
        .toList();
  }
}
