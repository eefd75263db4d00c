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

import io.keylake.format.index.IndexEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.golden.GoldenTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every manifest of the reference's tables is read, written again and found the same. */
final class GoldenManifestTest {
  private static final String INDEX = "index-manifest-";
  private static final String LIST = "manifest-list-";

  @TempDir static Path folder;
  private static final Map<String, byte[]> FILES = new HashMap<>();

  @BeforeAll
  static void unpack() throws IOException {
    for (String table : GoldenTables.names()) {
      Path manifests = GoldenTables.unpack(table, folder).resolve("manifest");
      if (Files.isDirectory(manifests)) {
        try (Stream<Path> files = Files.list(manifests)) {
          files.forEach(file -> FILES.put(file.getFileName().toString(), bytes(file)));
        }
      }
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void manifestsAreRewrittenRecordByRecord() {
    int checked = 0;
    for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
      String name = file.getKey();
      byte[] content = file.getValue();
      byte[] rewritten;
      if (name.startsWith(INDEX)) {
        rewritten = IndexManifestCodec.write(IndexManifestCodec.read(content, name), 1);
      } else if (name.startsWith(LIST)) {
        rewritten = ManifestListCodec.write(ManifestListCodec.read(content, name), 1);
      } else {
        rewritten = ManifestCodec.write(ManifestCodec.read(content, name), 1);
      }
      assertThat(schema(rewritten)).as(name).isEqualTo(schema(content));
      assertThat(records(rewritten)).as(name).isEqualTo(records(content));
      checked++;
    }
    assertThat(checked).isGreaterThan(300);
  }

  @Test
  void listsDescribeTheirManifests() {
    int checked = 0;
    for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
      if (!file.getKey().startsWith(LIST)) {
        continue;
      }
      for (ManifestFile manifest : ManifestListCodec.read(file.getValue(), file.getKey())) {
        byte[] content = FILES.get(manifest.name());
        if (content == null) {
          continue;
        }
        List<ManifestEntry> entries = ManifestCodec.read(content, manifest.name());
        assertThat(manifest.size()).isEqualTo(content.length);
        assertThat(manifest.addedFiles())
            .isEqualTo(entries.stream().filter(e -> e.kind() == EntryKind.ADD).count());
        assertThat(manifest.deletedFiles())
            .isEqualTo(entries.stream().filter(e -> e.kind() == EntryKind.DELETE).count());
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(100);
  }

  @Test
  void indexManifestsNameTheirVectors() {
    List<IndexEntry> entries = new ArrayList<>();
    FILES.forEach(
        (name, content) -> {
          if (name.startsWith(INDEX)) {
            entries.addAll(IndexManifestCodec.read(content, name));
          }
        });
    assertThat(entries)
        .anySatisfy(entry -> assertThat(entry.file().type()).isEqualTo("HASH"))
        .anySatisfy(
            entry -> {
              assertThat(entry.file().type()).isEqualTo("DELETION_VECTORS");
              assertThat(entry.file().deletionVectors()).isNotEmpty();
            });
  }

  @Test
  void unwantedEntriesAndStatisticsAreLeftOut() {
    int left = 0;
    for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
      String name = file.getKey();
      if (name.startsWith(INDEX) || name.startsWith(LIST)) {
        continue;
      }
      List<ManifestEntry> all = ManifestCodec.read(file.getValue(), name);
      List<ManifestEntry> wanted =
          ManifestCodec.read(
              file.getValue(), name, StatsProjection.SKIP, new BucketZeroAboveZero());
      List<ManifestEntry> expected =
          all.stream()
              .filter(entry -> entry.bucket() == 0 && entry.file().level() > 0)
              .map(GoldenManifestTest::withoutStats)
              .toList();
      assertThat(wanted).isEqualTo(expected);
      left += all.size() - wanted.size();
    }
    assertThat(left).isPositive();
  }

  private static ManifestEntry withoutStats(ManifestEntry entry) {
    return new ManifestEntry(
        entry.kind(),
        entry.partition(),
        entry.bucket(),
        entry.totalBuckets(),
        entry.file().withoutStats());
  }

  private static final class BucketZeroAboveZero implements EntryFilter {
    @Override
    public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
      return bucket == 0;
    }

    @Override
    public boolean keepsLevel(int level) {
      return level > 0;
    }
  }

  @Test
  void writtenManifestsAreCompressedWithZstandard() throws IOException {
    byte[] written = ManifestListCodec.write(List.of(), 1);

    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(written), new GenericDatumReader<GenericRecord>())) {
      assertThat(reader.getMetaString("avro.codec")).isEqualTo("zstandard");
      assertThat(reader.hasNext()).isFalse();
    }
    assertThat(ManifestListCodec.read(written, "list")).isEmpty();
  }

  private static Schema schema(byte[] content) {
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(content), new GenericDatumReader<GenericRecord>())) {
      return reader.getSchema();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<GenericRecord> records(byte[] content) {
    List<GenericRecord> records = new ArrayList<>();
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(
            new SeekableByteArrayInput(content), new GenericDatumReader<GenericRecord>())) {
      reader.forEach(records::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return records;
  }
}
