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
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.HashIndexCodec;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.IndexManifestCodec;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestListCodec;
import io.keylake.format.manifest.ManifestWriter;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.row.RowHash;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.golden.DataFiles;
import io.keylake.table.TestTables;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of one snapshot, put together by hand: partitioned by p, key k, value v. Tests spoil its
 * parts before {@link #problems} publishes and checks it.
 */
final class CheckedTable implements TableCheck.Rows {
  /** A stored row. */
  record Row(int key, @Nullable String value, long sequenceNumber, ChangeKind kind) {}

  private static final BinaryRowCodec KEYS = BinaryRowCodec.of(schema(Map.of()).keyType());
  private static final BinaryRowCodec VALUES = BinaryRowCodec.of(schema(Map.of()).rowType());
  static final BinaryRow PARTITION =
      BinaryRowCodec.of(schema(Map.of()).partitionType()).encode(List.of("a"));

  final TableStorage storage;
  final TableSchema schema;
  final List<ManifestEntry> entries = new ArrayList<>();
  final List<IndexEntry> indexes = new ArrayList<>();
  long schemaId;
  long extraRecords;
  int totalBuckets;
  UnaryOperator<ManifestFile> manifestRecord = UnaryOperator.identity();
  private final Map<String, List<Row>> rows = new HashMap<>();
  private final Map<String, String> partitions = new HashMap<>();

  CheckedTable(Path folder, Map<String, String> options) {
    this(folder, schema(options));
  }

  /** A table in which a key is found once whatever its partition. */
  static CheckedTable crossing(Path folder) {
    return new CheckedTable(folder, schema(List.of("k"), Map.of("bucket", "-1")));
  }

  private CheckedTable(Path folder, TableSchema schema) {
    this.schema = schema;
    TableLayout layout = TableLayout.of(new Location(folder.toUri().toString()));
    this.storage = TableStorage.of("db.t", TestTables.LOCAL, layout);
    this.totalBuckets = TableOptions.of(schema).bucket().count();
    storage.schemas().publish(schema);
  }

  private static TableSchema schema(Map<String, String> options) {
    return schema(List.of("p", "k"), options);
  }

  private static TableSchema schema(List<String> primaryKeys, Map<String, String> options) {
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        List.of(
            DataField.of(0, "p", DataTypes.STRING.asNotNull()),
            DataField.of(1, "k", DataTypes.INT.asNotNull()),
            DataField.of(2, "v", DataTypes.STRING)),
        2,
        List.of("p"),
        primaryKeys,
        options,
        null,
        0,
        UnknownKeys.NONE);
  }

  static Row row(int key, String value, long sequenceNumber) {
    return new Row(key, value, sequenceNumber, ChangeKind.INSERT);
  }

  static Row deleted(int key, long sequenceNumber) {
    return new Row(key, null, sequenceNumber, ChangeKind.DELETE);
  }

  /** The {@code n}-th key, from 0, that belongs into a bucket of two. */
  static int key(int bucket, int n) {
    return IntStream.iterate(1, key -> key + 1)
        .filter(key -> BucketFunction.ofHash(hash(key), 2) == bucket)
        .skip(n)
        .findFirst()
        .orElseThrow();
  }

  static int hash(int key) {
    return RowHash.murmur(KEYS.encode(List.of(key)));
  }

  FileAddresses addresses() {
    return FileAddresses.of(storage.layout(), schema, TableOptions.of(schema).fileLayout());
  }

  /** Describes a file of these rows as it should be. */
  DataFiles describe(String name, Row... content) {
    rows.put(name, List.of(content));
    int[] keys = Arrays.stream(content).mapToInt(Row::key).sorted().toArray();
    List<BinaryRow> bounds =
        List.of(KEYS.encode(List.of(keys[0])), KEYS.encode(List.of(keys[keys.length - 1])));
    List<String> values =
        Arrays.stream(content).map(Row::value).filter(value -> value != null).sorted().toList();
    long nulls = Arrays.stream(content).filter(row -> row.value() == null).count();
    return DataFiles.named(name)
        .size(7)
        .rows(content.length)
        .keys(bounds.get(0), bounds.get(1))
        .keyStats(new ColumnStats(bounds.get(0), bounds.get(1), List.of(0L)))
        .valueStats(
            new ColumnStats(
                VALUES.encode(Arrays.asList("a", keys[0], values.isEmpty() ? null : values.get(0))),
                VALUES.encode(
                    Arrays.asList(
                        "a",
                        keys[keys.length - 1],
                        values.isEmpty() ? null : values.get(values.size() - 1))),
                List.of(0L, 0L, nulls)))
        .sequence(
            Arrays.stream(content).mapToLong(Row::sequenceNumber).min().orElseThrow(),
            Arrays.stream(content).mapToLong(Row::sequenceNumber).max().orElseThrow())
        .deletes(Arrays.stream(content).filter(row -> row.kind().isRetract()).count());
  }

  /** Makes a file live, and exist. */
  void add(int bucket, DataFile file) {
    entries.add(new ManifestEntry(EntryKind.ADD, PARTITION, bucket, totalBuckets, file));
    TestTables.LOCAL.overwrite(path(bucket, file), new byte[7]);
  }

  Location path(int bucket, DataFile file) {
    return addresses().dataFile(PARTITION, bucket, file);
  }

  /** Says that the stored rows of a file are of another partition. */
  void storePartition(String file, String partition) {
    partitions.put(file, partition);
  }

  /** Replaces a file's entry. */
  void describeAnew(int bucket, DataFile file) {
    entries.removeIf(entry -> entry.file().name().equals(file.name()));
    add(bucket, file);
  }

  IndexFile vectors(String name, Map<String, DeletionVector> vectors) {
    DeletionVectorFile file = DeletionVectorFile.encode(vectors, VectorVersion.V1);
    IndexFile index = file.toIndexFile(name);
    return index(0, index, file.content());
  }

  IndexFile hashes(int bucket, String name, Collection<Integer> keys) {
    int[] hashes = keys.stream().mapToInt(CheckedTable::hash).toArray();
    byte[] content = HashIndexCodec.write(hashes);
    return index(
        bucket,
        new IndexFile(IndexFile.HASH, name, content.length, hashes.length, null, null, null),
        content);
  }

  IndexFile index(int bucket, IndexFile file, byte[] content) {
    indexes.add(new IndexEntry(PARTITION, bucket, file));
    TestTables.LOCAL.overwrite(indexPath(bucket, file), content);
    return file;
  }

  Location indexPath(int bucket, IndexFile file) {
    return addresses().indexFile(PARTITION, bucket, file);
  }

  List<TableProblem> problems() {
    publish();
    return new TableCheck(storage, schema, this).newest();
  }

  void publish() {
    TableLayout layout = storage.layout();
    ManifestWriter writer =
        new ManifestWriter(
            TestTables.LOCAL, layout, () -> "manifest-0", schema.partitionType(), 1 << 20, 1);
    List<ManifestFile> manifests = writer.write(entries).stream().map(manifestRecord).toList();
    byte[] base = list("list-base", List.of());
    byte[] delta = list("list-delta", manifests);
    String indexManifest = null;
    if (!indexes.isEmpty()) {
      indexManifest = "index-manifest";
      TestTables.LOCAL.overwrite(
          layout.manifest(indexManifest), IndexManifestCodec.write(indexes, 1));
    }
    long records =
        entries.stream()
                .mapToLong(
                    entry ->
                        entry.kind() == EntryKind.ADD
                            ? entry.file().rowCount()
                            : -entry.file().rowCount())
                .sum()
            + extraRecords;
    storage
        .snapshots()
        .publish(
            new Snapshot(
                Snapshot.CURRENT_VERSION,
                1,
                schemaId,
                "list-base",
                (long) base.length,
                "list-delta",
                (long) delta.length,
                null,
                null,
                indexManifest,
                "user",
                Snapshot.BATCH_IDENTIFIER,
                CommitKind.APPEND,
                0,
                records,
                records,
                null,
                null,
                null,
                Map.of(),
                0L,
                UnknownKeys.NONE));
  }

  private byte[] list(String name, List<ManifestFile> manifests) {
    byte[] content = ManifestListCodec.write(manifests, 1);
    TestTables.LOCAL.overwrite(storage.layout().manifest(name), content);
    return content;
  }

  @Override
  public TableCheck.Cursor open(Location path, DataFile file, TableSchema fileSchema) {
    List<Row> content = rows.get(file.name());
    if (content == null) {
      throw new CorruptTableException(path.path(), "Nobody can read this.", null);
    }
    String partition = partitions.getOrDefault(file.name(), "a");
    return new TableCheck.Cursor() {
      private int position = -1;

      @Override
      public boolean next() {
        position++;
        return position < content.size();
      }

      @Override
      public long sequenceNumber() {
        return content.get(position).sequenceNumber();
      }

      @Override
      public ChangeKind kind() {
        return content.get(position).kind();
      }

      @Override
      public List<@Nullable Object> values() {
        Row row = content.get(position);
        return Arrays.asList(partition, row.key(), row.value());
      }

      @Override
      public void close() {}
    };
  }

  /** Makes a file unreadable. */
  void forget(String file) {
    rows.remove(file);
  }
}
