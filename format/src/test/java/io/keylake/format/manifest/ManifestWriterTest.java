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

package io.keylake.format.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.golden.DataFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestWriterTest {
  private static final RowType PARTITION =
      RowType.of(
          List.of(DataField.of(0, "dt", DataTypes.STRING), DataField.of(1, "hr", DataTypes.INT)));
  private static final BinaryRowCodec CODEC = BinaryRowCodec.of(PARTITION);

  @TempDir Path folder;
  private TableLayout layout;
  private HadoopFileIO io;

  @BeforeEach
  void open() {
    io = HadoopFileIO.of(new Configuration());
    layout = TableLayout.of(new Location("file:" + folder));
  }

  private static BinaryRow partition(Object dt, Object hr) {
    return CODEC.encode(Arrays.asList(dt, hr));
  }

  private static ManifestEntry entry(BinaryRow partition, int bucket, int level, String name) {
    return new ManifestEntry(
        EntryKind.ADD,
        partition,
        bucket,
        4,
        DataFiles.named(name).level(level).schema(bucket).build());
  }

  private List<ManifestFile> write(List<ManifestEntry> entries, long targetBytes) {
    MetadataFileNames names = new MetadataFileNames(() -> "id");
    return new ManifestWriter(io, layout, names::manifest, PARTITION, targetBytes, 1)
        .write(entries);
  }

  @Test
  void aManifestIsSummedUp() {
    List<ManifestEntry> entries =
        List.of(
            entry(partition("b", 5), 1, 0, "a"),
            entry(partition("ab-longer-than-sixteen-characters", null), 3, 4, "b"),
            entry(partition(null, 7), 0, 5, "c").asDelete());

    List<ManifestFile> written = write(entries, 1 << 20);

    assertThat(written).hasSize(1);
    ManifestFile manifest = written.get(0);
    assertThat(manifest.name()).isEqualTo("manifest-id-0");
    assertThat(manifest.addedFiles()).isEqualTo(2);
    assertThat(manifest.deletedFiles()).isEqualTo(1);
    assertThat(manifest.schemaId()).isEqualTo(3);
    assertThat(manifest.minBucket()).isZero();
    assertThat(manifest.maxBucket()).isEqualTo(3);
    assertThat(manifest.minLevel()).isZero();
    assertThat(manifest.maxLevel()).isEqualTo(5);
    assertThat(manifest.minRowId()).isNull();
    assertThat(CODEC.decode(manifest.partitionStats().minValues()))
        .containsExactly("ab-longer-than-sixteen-characters", 5);
    assertThat(CODEC.decode(manifest.partitionStats().maxValues())).containsExactly("b", 7);
    assertThat(manifest.partitionStats().nullCounts()).containsExactly(1L, 1L);
    ManifestReader reader = new ManifestReader(io, layout, new ManifestCache(1 << 20));
    assertThat(reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL)).isEqualTo(entries);
  }

  @Test
  void aColumnThatIsAlwaysNullHasNullBounds() {
    ManifestFile manifest = write(List.of(entry(partition(null, 1), 0, 0, "a")), 1).get(0);

    assertThat(CODEC.decode(manifest.partitionStats().minValues())).containsExactly(null, 1);
    assertThat(manifest.partitionStats().nullCounts()).containsExactly(1L, 0L);
  }

  @Test
  void aNewManifestStartsAtTheTargetSize() {
    List<ManifestEntry> entries = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      entries.add(entry(partition("p", i), i % 4, 0, "data-" + i + "-" + i * 7919 % 3001));
    }

    List<ManifestFile> written = write(entries, 10_000);

    assertThat(written).hasSizeGreaterThan(1);
    ManifestReader reader = new ManifestReader(io, layout, new ManifestCache(0));
    List<ManifestEntry> read = new ArrayList<>();
    ParallelReads.forEach(
        written,
        manifest -> reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL),
        read::addAll);
    assertThat(read).isEqualTo(entries);
  }

  @Test
  void noEntriesMakeNoManifest() {
    assertThat(write(List.of(), 100)).isEmpty();
    assertThat(folder.resolve("manifest")).doesNotExist();
  }

  @Test
  void aManifestIsReadOnceWhileItIsKept() throws Exception {
    ManifestFile manifest = write(List.of(entry(partition("a", 1), 0, 0, "a")), 1).get(0);
    ManifestCache cache = new ManifestCache(1 << 20);
    ManifestReader reader = new ManifestReader(io, layout, cache);
    List<ManifestEntry> first = reader.entries(manifest, StatsProjection.SKIP, EntryFilter.ALL);
    Files.delete(folder.resolve("manifest").resolve(manifest.name()));

    assertThat(reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL)).isEqualTo(first);
    assertThat(cache.bytes()).isPositive();
  }

  @Test
  void aMissingManifestIsNamed() {
    ManifestFile manifest = write(List.of(entry(partition("a", 1), 0, 0, "a")), 1).get(0);
    io.delete(layout.manifest(manifest.name()));
    ManifestReader reader = new ManifestReader(io, layout, new ManifestCache(0));

    assertThatThrownBy(() -> reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("missing")
        .hasMessageContaining(manifest.name());
  }

  @Test
  void aCutManifestIsNamed() throws Exception {
    ManifestFile manifest = write(List.of(entry(partition("a", 1), 0, 0, "a")), 1).get(0);
    Path file = folder.resolve("manifest").resolve(manifest.name());
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
    ManifestReader reader = new ManifestReader(io, layout, new ManifestCache(0));

    assertThatThrownBy(() -> reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("has 100 bytes, what refers to it says " + manifest.size())
        .hasMessageContaining(manifest.name());
  }
}
