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
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestListCodec;
import io.keylake.format.manifest.ManifestWriter;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** A table whose metadata is real and whose data files do not exist. */
final class WrittenTable {
  static final DataField P = DataField.of(0, "p", DataTypes.STRING.asNotNull());
  static final DataField K = DataField.of(1, "k", DataTypes.INT.asNotNull());
  static final DataField V = DataField.of(2, "v", DataTypes.INT);

  private final TableSchema schema;
  private final TableStorage storage;
  private long snapshots;

  WrittenTable(Path folder, List<String> primaryKeys, Map<String, String> options) {
    this(folder, schema(0, primaryKeys, options, V));
  }

  private WrittenTable(Path folder, TableSchema schema) {
    this.schema = schema;
    this.storage =
        new TableStorage(
            "db.t",
            HadoopFileIO.of(new Configuration()),
            TableLayout.of(new Location("file:" + folder)),
            Clock.systemUTC(),
            new ManifestCache(1 << 20));
    storage.schemas().publish(schema);
  }

  static TableSchema schema(
      long id, List<String> primaryKeys, Map<String, String> options, DataField value) {
    return new TableSchema(
        3,
        id,
        List.of(P, K, value),
        9,
        List.of("p"),
        primaryKeys,
        options,
        null,
        0,
        UnknownKeys.NONE);
  }

  TableStorage storage() {
    return storage;
  }

  BinaryRow partition(String value) {
    return BinaryRowCodec.of(schema.partitionType()).encode(List.of(value));
  }

  BinaryRow key(int value) {
    return BinaryRowCodec.of(RowType.of(List.of(K))).encode(List.of(value));
  }

  ColumnStats keyStats(int min, int max) {
    return new ColumnStats(key(min), key(max), List.of(0L));
  }

  /** Statistics of p, k and v; those of p are unknown. */
  ColumnStats valueStats(int minKey, int maxKey, int minValue, int maxValue) {
    BinaryRowCodec codec = BinaryRowCodec.of(schema.rowType());
    return new ColumnStats(
        codec.encode(Arrays.asList(null, minKey, minValue)),
        codec.encode(Arrays.asList(null, maxKey, maxValue)),
        Arrays.asList(null, 0L, 0L));
  }

  static ManifestEntry add(BinaryRow partition, int bucket, int totalBuckets, DataFile file) {
    return new ManifestEntry(EntryKind.ADD, partition, bucket, totalBuckets, file);
  }

  /** Commits these entries as one manifest. */
  Snapshot commit(ManifestEntry... entries) {
    List<ManifestFile> base = new ArrayList<>();
    storage.snapshots().latest().ifPresent(last -> base.addAll(storage.dataManifests(last)));
    snapshots++;
    MetadataFileNames names = new MetadataFileNames(() -> "c" + snapshots);
    List<ManifestFile> delta =
        new ManifestWriter(
                storage.io(), storage.layout(), names::manifest, schema.partitionType(), 1 << 20, 1)
            .write(List.of(entries));
    String baseList = list(names, base);
    String deltaList = list(names, delta);
    Snapshot snapshot =
        new Snapshot(
            3,
            snapshots,
            schema.id(),
            baseList,
            null,
            deltaList,
            null,
            null,
            null,
            null,
            "user",
            snapshots,
            CommitKind.APPEND,
            snapshots * 1000,
            0,
            0,
            null,
            null,
            null,
            Map.of(),
            0L,
            UnknownKeys.NONE);
    storage.snapshots().publish(snapshot);
    return snapshot;
  }

  private String list(MetadataFileNames names, List<ManifestFile> manifests) {
    String name = names.manifestList();
    storage.io().create(storage.layout().manifest(name), ManifestListCodec.write(manifests, 1));
    return name;
  }

  ScanPlanner planner(Map<String, String> options) {
    return new ScanPlanner(storage, schema, TableOptions.of(schema, options));
  }

  ScanPlan plan(ScanFilter filter) {
    return planner(Map.of()).plan(storage.snapshots().latest().orElseThrow(), filter);
  }

  static List<String> units(ScanPlan plan) {
    return plan.buckets().stream()
        .flatMap(bucket -> bucket.units().stream())
        .map(DataFile::name)
        .toList();
  }

  static List<String> files(ScanPlan plan) {
    return plan.buckets().stream().flatMap(WrittenTable::names).toList();
  }

  private static Stream<String> names(BucketFiles bucket) {
    return bucket.files().stream().map(DataFile::name);
  }
}
