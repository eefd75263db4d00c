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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.HashIndexCodec;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.IndexManifestCodec;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestListCodec;
import io.keylake.format.manifest.ManifestWriter;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.reference.ReferenceTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The reference implementation reads manifests, index manifests, index files, snapshots, tags and
 * hints that we wrote: each table gets a new snapshot of the same content.
 */
final class MetadataOracleTest {
  @TempDir Path warehouse;
  private final MetadataFileNames names = new MetadataFileNames(Ids.random());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pk_multi_level",
        "part_types",
        "part_null",
        "dv_append",
        "dv_pk64",
        "dyn_bucket",
        "row_tracking",
        "bloom_embedded"
      })
  void rewrittenMetadataIsReadByTheReference(String table) throws Exception {
    GoldenStorage golden = GoldenStorage.open(table, warehouse.resolve("golden.db"));
    ReferenceTable reference = ReferenceTable.of("file:" + warehouse, "golden", table);
    List<String> expected = reference.rows();
    assertThat(expected).isNotEmpty();
    TableStorage storage = golden.storage();
    Snapshot before = storage.snapshots().latest().orElseThrow();

    Snapshot after = rewrite(golden, before);
    assertThat(storage.snapshots().publish(after)).isEqualTo(FileIO.Publication.PUBLISHED);
    storage.snapshots().writeLatestHint(after.id());
    Tag tag = new Tag("ours", after, LocalDateTime.of(2024, 1, 2, 3, 4, 5), Duration.ofDays(9999));
    storage.tags().write(tag);

    assertThat(reference.rows()).isEqualTo(expected);
    assertThat(reference.rows(Map.of("scan.tag-name", "ours"))).isEqualTo(expected);
    assertThat(reference.problems()).isEmpty();
  }

  private Snapshot rewrite(GoldenStorage golden, Snapshot before) {
    TableStorage storage = golden.storage();
    List<ManifestEntry> entries = new ArrayList<>();
    for (ManifestFile manifest : storage.dataManifests(before)) {
      entries.addAll(storage.manifests().entries(manifest, StatsProjection.KEEP, EntryFilter.ALL));
    }
    ManifestWriter writer =
        new ManifestWriter(
            storage.io(),
            storage.layout(),
            names::manifest,
            golden.schema().partitionType(),
            2000,
            1);
    String base = list(storage, writer.write(entries));
    String delta = list(storage, List.of());
    return new Snapshot(
        Snapshot.CURRENT_VERSION,
        before.id() + 1,
        before.schemaId(),
        base,
        size(storage, base),
        delta,
        size(storage, delta),
        null,
        null,
        indexManifest(golden, before),
        "keylake-test",
        Snapshot.BATCH_IDENTIFIER,
        CommitKind.COMPACT,
        before.timeMillis() + 1,
        before.totalRecordCount(),
        0,
        null,
        before.watermark(),
        before.statistics(),
        Map.of("made-by", "test"),
        before.nextRowId(),
        before.unknown());
  }

  private String list(TableStorage storage, List<ManifestFile> manifests) {
    String name = names.manifestList();
    storage.io().create(storage.layout().manifest(name), ManifestListCodec.write(manifests, 1));
    return name;
  }

  private static long size(TableStorage storage, String name) {
    return storage.io().status(storage.layout().manifest(name)).orElseThrow().length();
  }

  private @Nullable String indexManifest(GoldenStorage golden, Snapshot before) {
    TableStorage storage = golden.storage();
    if (before.indexManifest() == null) {
      return null;
    }
    List<IndexEntry> rewritten =
        storage.indexEntries(before).stream().map(entry -> rewrite(golden, entry)).toList();
    assertThat(rewritten).isNotEmpty();
    String name = names.indexManifest();
    storage.io().create(storage.layout().manifest(name), IndexManifestCodec.write(rewritten, 1));
    return name;
  }

  private IndexEntry rewrite(GoldenStorage golden, IndexEntry entry) {
    FileIO io = golden.storage().io();
    FileAddresses addresses = golden.addresses();
    IndexFile file = entry.file();
    Location stored = addresses.indexFile(entry.partition(), entry.bucket(), file);
    byte[] content = io.read(stored);
    String name = names.index();
    byte[] written;
    IndexFile described;
    if (file.type().equals(IndexFile.HASH)) {
      written = HashIndexCodec.write(HashIndexCodec.read(content, stored.path()));
      described =
          new IndexFile(file.type(), name, written.length, file.rowCount(), null, null, null);
    } else {
      Map<String, DeletionVector> vectors = DeletionVectorFile.decode(content, file, stored.path());
      VectorVersion version =
          "true".equals(golden.schema().options().get("deletion-vectors.bitmap64"))
              ? VectorVersion.V2
              : VectorVersion.V1;
      DeletionVectorFile encoded = DeletionVectorFile.encode(vectors, version);
      written = encoded.content();
      described = encoded.toIndexFile(name);
    }
    io.create(addresses.indexFile(entry.partition(), entry.bucket(), described), written);
    return new IndexEntry(entry.partition(), entry.bucket(), described);
  }
}
