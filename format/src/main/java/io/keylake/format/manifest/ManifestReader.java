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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.TableLayout;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the metadata files of one folder, through a cache. Small manifests are decoded completely
 * and kept; large ones are decoded as far as they are wanted and not kept. Safe for use by many
 * threads.
 */
public final class ManifestReader {
  /** Manifests up to this many stored bytes are worth keeping as a whole. */
  private static final long KEPT_BYTES = 4L << 20;

  private final FileIO io;
  private final TableLayout layout;
  private final ManifestCache cache;

  /** A reader of a table's manifests. */
  public ManifestReader(FileIO io, TableLayout layout, ManifestCache cache) {
    this.io = io;
    this.layout = layout;
    this.cache = cache;
  }

  /**
   * The manifests of a manifest list, in order.
   *
   * @param size bytes that the list should have; null = unknown
   */
  public List<ManifestFile> list(String name, @Nullable Long size) {
    String path = layout.manifest(name).path();
    Optional<ManifestCache.Content> kept = cache.find(path);
    if (kept.isPresent()) {
      return kept.get().manifests();
    }
    byte[] content = content(name);
    checkSize(path, content, size);
    List<ManifestFile> manifests = ManifestListCodec.read(content, path);
    cache.put(path, ManifestCache.Content.ofManifests(manifests));
    return manifests;
  }

  /** The wanted entries of a manifest, in order; statistics may be there though not asked for. */
  public List<ManifestEntry> entries(
      ManifestFile manifest, StatsProjection stats, EntryFilter filter) {
    String path = layout.manifest(manifest.name()).path();
    Optional<ManifestCache.Content> kept = cache.find(path);
    if (kept.isPresent()) {
      return wanted(kept.get().entries(), filter);
    }
    byte[] content = content(manifest.name());
    checkSize(path, content, manifest.size());
    if (content.length > KEPT_BYTES) {
      return ManifestCodec.read(content, path, stats, filter);
    }
    List<ManifestEntry> entries = ManifestCodec.read(content, path);
    cache.put(path, ManifestCache.Content.ofEntries(entries));
    return wanted(entries, filter);
  }

  /** The index files of an index manifest. */
  public List<IndexEntry> indexes(String name) {
    String path = layout.manifest(name).path();
    Optional<ManifestCache.Content> kept = cache.find(path);
    if (kept.isPresent()) {
      return kept.get().indexes();
    }
    List<IndexEntry> indexes = IndexManifestCodec.read(content(name), path);
    cache.put(path, ManifestCache.Content.ofIndexes(indexes));
    return indexes;
  }

  private static List<ManifestEntry> wanted(List<ManifestEntry> entries, EntryFilter filter) {
    if (filter == EntryFilter.ALL) {
      return entries;
    }
    return entries.stream()
        .filter(
            entry ->
                filter.keepsBucket(entry.partition(), entry.bucket(), entry.totalBuckets())
                    && filter.keepsLevel(entry.file().level()))
        .toList();
  }

  private static void checkSize(String path, byte[] content, @Nullable Long size) {
    if (size != null && size != content.length) {
      throw new CorruptTableException(
          path,
          "The file has %d bytes, what refers to it says %d. Restore the file or roll back to a snapshot that does not use it."
              .formatted(content.length, size),
          null);
    }
  }

  private byte[] content(String name) {
    Location file = layout.manifest(name);
    try {
      return io.read(file);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FileNotFoundException) {
        throw new CorruptTableException(
            file.path(),
            "A metadata file is missing. If its snapshot expired while it was being read, run the"
                + " statement again and retain snapshots for longer; otherwise restore the file or"
                + " roll back to a snapshot that does not use it.",
            e);
      }
      throw e;
    }
  }
}
