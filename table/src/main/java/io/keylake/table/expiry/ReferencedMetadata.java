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

package io.keylake.table.expiry;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.stats.ColumnStats;
import io.keylake.table.expiry.KeptVersion.Kind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata files that the versions of a table name, in all branches; the names of data and
 * index files are in {@link #sources}, which can be read anywhere. So the size of the table does
 * not matter here, only the number of its manifests.
 *
 * <p>Versions are listed twice, so that none is missed that moves from one branch to another
 * meanwhile. Anything that cannot be read is a failure. Immutable.
 *
 * @param names of manifest lists, manifests, index manifests and statistics
 * @param sources manifests and index manifests
 */
public record ReferencedMetadata(Set<String> names, List<Source> sources) {
  /** Copies both. */
  public ReferencedMetadata {
    names = Set.copyOf(names);
    sources = List.copyOf(sources);
  }

  /**
   * A file that names data or index files.
   *
   * @param name its name
   * @param size its bytes; -1 for an index manifest
   */
  public record Source(String name, long size) implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final long INDEX_MANIFEST = -1;

    /** Gives the name of each file that it names, whether that is added or removed. */
    public void forEachName(ManifestReader manifests, Consumer<String> consumer) {
      if (size == INDEX_MANIFEST) {
        manifests.indexes(name).forEach(index -> consumer.accept(index.file().name()));
        return;
      }
      ManifestFile manifest =
          new ManifestFile(
              name, size, 0, 0, ColumnStats.EMPTY, 0, null, null, null, null, null, null);
      for (ManifestEntry entry :
          manifests.entries(manifest, StatsProjection.SKIP, EntryFilter.ALL)) {
        consumer.accept(entry.file().name());
        entry.file().extraFiles().forEach(consumer);
      }
    }
  }

  /**
   * A manifest list: the size that it should have, and whether it, or manifests of it, may be
   * missing.
   */
  private record ListRef(@Nullable Long size, boolean isOptional) {}

  /**
   * What the versions of the table name.
   *
   * @throws io.keylake.format.errors.CorruptTableException when a version or a list cannot be read
   */
  public static ReferencedMetadata of(TableStorage storage) {
    List<KeptVersion> versions = new ArrayList<>(KeptVersions.all(storage));
    versions.addAll(KeptVersions.all(storage));
    Map<String, ListRef> lists = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    Map<String, Long> sources = new HashMap<>();
    for (KeptVersion version : versions) {
      Snapshot snapshot = version.snapshot();
      boolean isLongLived = version.kind() == Kind.CHANGELOG;
      put(lists, snapshot.baseManifestList(), snapshot.baseManifestListSize(), isLongLived);
      put(lists, snapshot.deltaManifestList(), snapshot.deltaManifestListSize(), isLongLived);
      String changelog = snapshot.changelogManifestList();
      if (changelog != null) {
        put(lists, changelog, snapshot.changelogManifestListSize(), false);
      }
      String indexManifest = snapshot.indexManifest();
      if (indexManifest != null && !isLongLived) {
        sources.put(indexManifest, Source.INDEX_MANIFEST);
      }
      String statistics = snapshot.statistics();
      if (statistics != null) {
        names.add(statistics);
      }
    }
    names.addAll(lists.keySet());
    ParallelReads.<Map.Entry<String, ListRef>, List<ManifestFile>>forEach(
        lists.entrySet(),
        list -> read(storage, list.getKey(), list.getValue()),
        manifests -> manifests.forEach(found -> sources.put(found.name(), found.size())));
    names.addAll(sources.keySet());
    return new ReferencedMetadata(
        names,
        new TreeMap<>(sources)
            .entrySet().stream()
                .map(source -> new Source(source.getKey(), source.getValue()))
                .toList());
  }

  /** A list that one version needs is needed, whatever others say. */
  private static void put(
      Map<String, ListRef> lists, String name, @Nullable Long size, boolean isOptional) {
    ListRef known = lists.get(name);
    lists.put(name, new ListRef(size, isOptional && (known == null || known.isOptional)));
  }

  private static List<ManifestFile> read(TableStorage storage, String list, ListRef ref) {
    if (!ref.isOptional) {
      return storage.manifests().list(list, ref.size);
    }
    return exists(storage, list)
        ? storage.manifests().list(list, ref.size).stream()
            .filter(manifest -> exists(storage, manifest.name()))
            .toList()
        : List.of();
  }

  private static boolean exists(TableStorage storage, String metadataFile) {
    return storage.io().exists(storage.layout().manifest(metadataFile));
  }
}
