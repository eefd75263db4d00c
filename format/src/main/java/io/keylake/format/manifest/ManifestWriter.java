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

import io.keylake.format.fileio.FileIO;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries into manifests and sums each up for the manifest list. A new manifest starts when
 * the current one has reached the target size; a manifest without entries is never written. Files
 * are new files of random names: the caller deletes them when its commit fails for certain.
 */
public final class ManifestWriter {
  private final FileIO io;
  private final TableLayout layout;
  private final Supplier<String> names;
  private final RowType partitionType;
  private final long targetBytes;
  private final int zstdLevel;

  /**
   * A writer of a table's manifests.
   *
   * @param names gives a new file name for each manifest
   * @param partitionType the table's partition columns
   * @param targetBytes size at which a manifest is complete
   * @param zstdLevel level of compression
   */
  public ManifestWriter(
      FileIO io,
      TableLayout layout,
      Supplier<String> names,
      RowType partitionType,
      long targetBytes,
      int zstdLevel) {
    this.io = io;
    this.layout = layout;
    this.names = names;
    this.partitionType = partitionType;
    this.targetBytes = targetBytes;
    this.zstdLevel = zstdLevel;
  }

  /** Writes the entries in order; the manifests, in order, for the manifest list. */
  public List<ManifestFile> write(Iterable<ManifestEntry> entries) {
    List<ManifestFile> written = new ArrayList<>();
    Rolling current = new Rolling(partitionType, zstdLevel);
    for (ManifestEntry entry : entries) {
      current.add(entry);
      if (current.content.size() >= targetBytes) {
        written.add(store(current));
        current = new Rolling(partitionType, zstdLevel);
      }
    }
    if (current.content.count() > 0) {
      written.add(store(current));
    }
    return written;
  }

  private ManifestFile store(Rolling manifest) {
    String name = names.get();
    byte[] content = manifest.content.finish();
    io.create(layout.manifest(name), content);
    return manifest.toManifestFile(name, content.length);
  }

  /** A manifest in the making with what the list says of it. */
  private static final class Rolling {
    private final AvroContainer.Writer<ManifestEntry> content;
    private final PartitionBounds partitions;
    private long added;
    private long schemaId;
    private int minBucket = Integer.MAX_VALUE;
    private int maxBucket = Integer.MIN_VALUE;
    private int minLevel = Integer.MAX_VALUE;
    private int maxLevel = Integer.MIN_VALUE;
    private boolean allHaveRowIds = true;
    private long minRowId = Long.MAX_VALUE;
    private long maxRowId = Long.MIN_VALUE;

    Rolling(RowType partitionType, int zstdLevel) {
      content = ManifestCodec.writer(zstdLevel);
      partitions = new PartitionBounds(partitionType);
    }

    void add(ManifestEntry entry) {
      content.add(entry);
      partitions.add(entry.partition());
      added += entry.kind() == EntryKind.ADD ? 1 : 0;
      schemaId = Math.max(schemaId, entry.file().schemaId());
      minBucket = Math.min(minBucket, entry.bucket());
      maxBucket = Math.max(maxBucket, entry.bucket());
      minLevel = Math.min(minLevel, entry.file().level());
      maxLevel = Math.max(maxLevel, entry.file().level());
      addRowIds(entry.file().firstRowId(), entry.file().rowCount());
    }

    private void addRowIds(@Nullable Long first, long count) {
      if (first == null) {
        allHaveRowIds = false;
        return;
      }
      minRowId = Math.min(minRowId, first);
      maxRowId = Math.max(maxRowId, first + count - 1);
    }

    ManifestFile toManifestFile(String name, long size) {
      return new ManifestFile(
          name,
          size,
          added,
          content.count() - added,
          partitions.toStats(),
          schemaId,
          minBucket,
          maxBucket,
          minLevel,
          maxLevel,
          allHaveRowIds ? Long.valueOf(minRowId) : null,
          allHaveRowIds ? Long.valueOf(maxRowId) : null);
    }
  }
}
