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

import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.IndexManifestCodec;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestListCodec;
import io.keylake.format.manifest.ManifestWriter;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.bucket.RowNumbers;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.ManifestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the metadata files of one try to commit and makes the snapshot that names them. All files
 * have new names, so whatever becomes of the try, no other snapshot is disturbed.
 *
 * <ol>
 *   <li>The base list holds all manifests of the snapshot before, merged; it is written even when
 *       it is empty. The delta list holds the changes; the changelog list exists only with
 *       changelog files. The index manifest is written anew only when an index file changes.
 *   <li>delta records = rows of added files minus rows of removed files; total = total before +
 *       delta. Changelog files do not count.
 *   <li>The watermark is the larger of the one before and this one. Statistics stay as long as they
 *       are of the newest schema.
 *   <li>The time is later than that of the snapshot before, whatever the clocks of writers say.
 * </ol>
 *
 * <p>Rule source: table format, snapshot file and commit protocol; rising times are our own
 * promise. Pinned by {@code TableCommitterTest}.
 */
final class SnapshotWriter {
  private record ListFile(String name, long size) {}

  private final CommitTable table;
  private final CommitEnvironment environment;
  private final ManifestOptions options;
  private final MetadataFileNames names;
  private final ManifestWriter manifestWriter;
  private final List<Location> written = new ArrayList<>();

  SnapshotWriter(CommitTable table, CommitEnvironment environment) {
    this.table = table;
    this.environment = environment;
    this.options = table.options().manifest();
    this.names = new MetadataFileNames(environment.ids());
    this.manifestWriter =
        new ManifestWriter(
            table.io(),
            table.layout(),
            () -> noted(names.manifest()),
            table.schema().partitionType(),
            options.targetBytes(),
            options.zstdLevel());
  }

  /** The metadata files written so far. */
  List<Location> written() {
    return List.copyOf(written);
  }

  /** Writes everything but the snapshot itself. */
  Snapshot write(@Nullable Snapshot before, CommitRequest request, PhaseChanges unnumbered) {
    TableSchema schema = table.newestSchema();
    long id = before == null ? 1 : before.id() + 1;
    Long known = before == null ? null : before.nextRowId();
    RowNumbers numbers = numbers(schema, unnumbered, known == null ? 0 : known, id);
    PhaseChanges changes = unnumbered.withAdded(numbers.added());
    List<ManifestFile> merged = before == null ? List.of() : merge(before);
    ListFile base = list(merged);
    ListFile delta = list(manifestWriter.write(deltaEntries(changes)));
    ListFile changelog =
        changes.changelog().isEmpty() ? null : list(manifestWriter.write(changes.changelog()));
    long deltaRecords = rows(changes.added()) - rows(changes.removed());
    return new Snapshot(
        Snapshot.CURRENT_VERSION,
        id,
        schema.id(),
        base.name(),
        base.size(),
        delta.name(),
        delta.size(),
        changelog == null ? null : changelog.name(),
        changelog == null ? null : changelog.size(),
        indexManifest(before, changes),
        request.user(),
        request.identifier(),
        changes.kind(),
        time(before),
        (before == null ? 0 : before.totalRecordCount()) + deltaRecords,
        deltaRecords,
        changelog == null ? null : rows(changes.changelog()),
        watermark(before, request.watermark()),
        statistics(before, schema),
        properties(request, changes),
        numbers.nextRowId(),
        UnknownKeys.NONE);
  }

  private static RowNumbers numbers(
      TableSchema schema, PhaseChanges changes, long firstRowId, long snapshotId) {
    return TrackedRows.areIn(schema)
        ? RowNumbers.of(changes.added(), firstRowId, snapshotId)
        : new RowNumbers(changes.added(), firstRowId);
  }

  /** A statement's counts; what its tasks compacted is no part of them. */
  private static Map<String, String> properties(CommitRequest request, PhaseChanges changes) {
    if (!request.properties().containsKey(Snapshot.OPERATION)) {
      return request.properties();
    }
    if (changes.kind() == CommitKind.COMPACT) {
      return Map.of();
    }
    Map<String, String> properties = new TreeMap<>(request.properties());
    properties.put(CommitRequest.FILES_ADDED, Integer.toString(changes.added().size()));
    properties.put(CommitRequest.FILES_REMOVED, Integer.toString(changes.removed().size()));
    return properties;
  }

  private List<ManifestFile> merge(Snapshot before) {
    return new ManifestRewrite(
            table.manifests(), manifestWriter, table.schema().partitionType(), options)
        .merge(table.storage().dataManifests(before));
  }

  private List<ManifestEntry> deltaEntries(PhaseChanges changes) {
    if (!options.dropDeleteStats()) {
      return changes.entries();
    }
    return changes.entries().stream()
        .map(
            entry ->
                entry.kind() == EntryKind.ADD
                    ? entry
                    : new ManifestEntry(
                        entry.kind(),
                        entry.partition(),
                        entry.bucket(),
                        entry.totalBuckets(),
                        entry.file().withoutStats()))
        .toList();
  }

  private ListFile list(List<ManifestFile> manifests) {
    byte[] content = ManifestListCodec.write(manifests, options.zstdLevel());
    String name = noted(names.manifestList());
    table.io().create(table.layout().manifest(name), content);
    return new ListFile(name, content.length);
  }

  private @Nullable String indexManifest(@Nullable Snapshot before, PhaseChanges changes) {
    String inherited = before == null ? null : before.indexManifest();
    if (changes.addedIndexes().isEmpty() && changes.removedIndexes().isEmpty()) {
      return inherited;
    }
    boolean unaware = BucketMode.of(table.schema()) instanceof BucketMode.Unaware;
    List<IndexEntry> merged =
        new IndexMerge(
                unaware
                    ? IndexMerge.Buckets.FILES_PER_PARTITION
                    : IndexMerge.Buckets.FILE_PER_BUCKET,
                table.name())
            .merge(
                before == null ? List.of() : table.storage().indexEntries(before),
                changes.removedIndexes(),
                changes.addedIndexes());
    if (merged.isEmpty()) {
      return null;
    }
    String name = noted(names.indexManifest());
    table
        .io()
        .create(
            table.layout().manifest(name), IndexManifestCodec.write(merged, options.zstdLevel()));
    return name;
  }

  /** Notes a name before the file is written, so that a failed try can clean up after itself. */
  private String noted(String name) {
    written.add(table.layout().manifest(name));
    return name;
  }

  private long time(@Nullable Snapshot before) {
    long now = environment.clock().millis();
    return before == null ? now : Math.max(now, before.timeMillis() + 1);
  }

  private static long rows(List<ManifestEntry> entries) {
    return entries.stream().mapToLong(entry -> entry.file().rowCount()).sum();
  }

  private static @Nullable Long watermark(@Nullable Snapshot before, @Nullable Long mark) {
    Long earlier = before == null ? null : before.watermark();
    if (earlier == null || mark == null) {
      return earlier == null ? mark : earlier;
    }
    return Long.valueOf(Math.max(earlier, mark));
  }

  private @Nullable String statistics(@Nullable Snapshot before, TableSchema schema) {
    if (before == null || before.statistics() == null) {
      return null;
    }
    boolean current =
        table
            .statistics()
            .of(before)
            .map(Statistics::schemaId)
            .filter(id -> id == schema.id())
            .isPresent();
    return current ? before.statistics() : null;
  }
}
