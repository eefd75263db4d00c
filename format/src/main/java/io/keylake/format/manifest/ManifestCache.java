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

import io.keylake.format.index.IndexEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decoded manifests, manifest lists and index manifests by their address, least recently used ones
 * dropped beyond a bound of estimated bytes. Files of this kind are named by a random identifier
 * and never change, so an entry is never stale. Safe for use by many threads; one instance serves a
 * process.
 */
public final class ManifestCache {
  /** The bound of {@link #shared()}: 128 MB. */
  public static final long DEFAULT_BYTES = 128L << 20;

  private static final ManifestCache SHARED = new ManifestCache(DEFAULT_BYTES);

  private final long maxBytes;
  private final Map<String, Content> contents = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /** A cache of at most {@code maxBytes}; 0 keeps nothing. */
  public ManifestCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The cache of this process. */
  public static ManifestCache shared() {
    return SHARED;
  }

  synchronized Optional<Content> find(String path) {
    return Optional.ofNullable(contents.get(path));
  }

  /** Keeps a file's content unless it alone would take more than a quarter of the bound. */
  synchronized void put(String path, Content content) {
    if (content.weight() > maxBytes / 4) {
      return;
    }
    Content before = contents.put(path, content);
    bytes += content.weight() - (before == null ? 0 : before.weight());
    var eldest = contents.entrySet().iterator();
    while (bytes > maxBytes) {
      bytes -= eldest.next().getValue().weight();
      eldest.remove();
    }
  }

  /** Estimated bytes that are held. */
  public synchronized long bytes() {
    return bytes;
  }

  /** What a file holds: one of the lists, the others empty, and its estimated bytes in memory. */
  record Content(
      List<ManifestEntry> entries,
      List<ManifestFile> manifests,
      List<IndexEntry> indexes,
      long weight) {
    private static final long ENTRY_BYTES = 640;
    private static final long VECTOR_BYTES = 160;

    static Content ofEntries(List<ManifestEntry> entries) {
      long weight = 0;
      for (ManifestEntry entry : entries) {
        var file = entry.file();
        weight +=
            ENTRY_BYTES
                + 2L * file.minKey().array().length
                + file.keyStats().minValues().array().length * 2L
                + file.valueStats().minValues().array().length * 2L
                + 24L * file.valueStats().nullCounts().size()
                + (file.embeddedIndex() == null ? 0 : file.embeddedIndex().length());
      }
      return new Content(List.copyOf(entries), List.of(), List.of(), weight);
    }

    static Content ofManifests(List<ManifestFile> manifests) {
      return new Content(
          List.of(), List.copyOf(manifests), List.of(), ENTRY_BYTES * (1 + manifests.size()));
    }

    static Content ofIndexes(List<IndexEntry> indexes) {
      long weight = ENTRY_BYTES;
      for (IndexEntry index : indexes) {
        var vectors = index.file().deletionVectors();
        weight += ENTRY_BYTES + VECTOR_BYTES * (vectors == null ? 0 : vectors.size());
      }
      return new Content(List.of(), List.of(), List.copyOf(indexes), weight);
    }
  }
}
