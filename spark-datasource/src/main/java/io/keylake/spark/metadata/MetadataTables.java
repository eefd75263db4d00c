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

package io.keylake.spark.metadata;

import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.RowType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.spark.sql.connector.catalog.Table;

/**
 * The metadata tables by the names that follow the table's own, as in {@code t$snapshots} or {@code
 * t.snapshots}.
 */
public final class MetadataTables {
  private static final Map<String, BiFunction<MetadataSource, String, Table>> TABLES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("snapshots", MetadataTables::snapshots),
              Map.entry("schemas", MetadataTables::schemas),
              Map.entry("options", MetadataTables::options),
              Map.entry("tags", MetadataTables::tags),
              Map.entry("branches", MetadataTables::branches),
              Map.entry("consumers", MetadataTables::consumers),
              Map.entry("statistics", MetadataTables::statistics),
              Map.entry("files", MetadataTables::files),
              Map.entry("file_key_ranges", MetadataTables::keyRanges),
              Map.entry("manifests", MetadataTables::manifests),
              Map.entry("partitions", MetadataTables::partitions),
              Map.entry("buckets", MetadataTables::buckets),
              Map.entry("table_indexes", MetadataTables::indexes)));

  private MetadataTables() {}

  /** All names, sorted. */
  public static Set<String> names() {
    return new TreeSet<>(TABLES.keySet());
  }

  /** The metadata table of this name; empty when there is none. */
  public static Optional<Table> find(MetadataSource source, String name) {
    return Optional.ofNullable(TABLES.get(name))
        .map(table -> table.apply(source, source.name() + "$" + name));
  }

  private static Table snapshots(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, HistoryTables.snapshots(), () -> source.storage().snapshots().all());
  }

  private static Table schemas(MetadataSource source, String name) {
    return new MetadataRelation<>(name, HistoryTables.schemas(), () -> allSchemas(source));
  }

  private static List<TableSchema> allSchemas(MetadataSource source) {
    SchemaStore schemas = source.storage().schemas();
    return schemas.ids().stream().map(schemas::load).toList();
  }

  private static Table options(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, HistoryTables.options(), () -> new TreeMap<>(source.schema().options()).entrySet());
  }

  private static Table tags(MetadataSource source, String name) {
    return new MetadataRelation<>(name, HistoryTables.tags(), () -> source.storage().tags().all());
  }

  private static Table branches(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, HistoryTables.branches(), () -> source.storage().branches().all());
  }

  private static Table consumers(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name,
        HistoryTables.consumers(),
        () -> new TreeMap<>(source.storage().consumers().all()).entrySet());
  }

  private static Table statistics(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name,
        HistoryTables.statistics(),
        () ->
            source.snapshot() == null
                ? List.of()
                : source.storage().statistics().of(source.snapshot()).stream().toList());
  }

  private static Table files(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, FileTables.files(source), () -> LiveFiles.withStatistics(source));
  }

  private static Table keyRanges(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, FileTables.keyRanges(source), () -> LiveFiles.withoutStatistics(source));
  }

  private static Table manifests(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, FileTables.manifests(source.schema().partitionType()), () -> manifestFiles(source));
  }

  private static List<ManifestFile> manifestFiles(MetadataSource source) {
    Snapshot snapshot = source.snapshot();
    if (snapshot == null) {
      return List.of();
    }
    return source.storage().dataManifests(snapshot);
  }

  private static Table partitions(MetadataSource source, String name) {
    RowType partition = source.schema().partitionType();
    return new MetadataRelation<>(
        name,
        FileTables.partitions(partition, source.defaultPartition()),
        () -> FileGroup.of(LiveFiles.withoutStatistics(source), LiveFile::partition));
  }

  private static Table buckets(MetadataSource source, String name) {
    record Bucket(BinaryRow partition, int number) {}

    return new MetadataRelation<>(
        name,
        FileTables.buckets(source.schema().partitionType()),
        () ->
            FileGroup.of(
                LiveFiles.withoutStatistics(source),
                file -> new Bucket(file.partition(), file.bucket())));
  }

  private static Table indexes(MetadataSource source, String name) {
    return new MetadataRelation<>(
        name, FileTables.indexes(source.schema().partitionType()), () -> indexEntries(source));
  }

  private static List<IndexEntry> indexEntries(MetadataSource source) {
    Snapshot snapshot = source.snapshot();
    return snapshot == null ? List.of() : source.storage().indexEntries(snapshot);
  }
}
