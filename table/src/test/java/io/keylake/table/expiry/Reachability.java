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

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What every listed version of a table reads, worked out plainly: version by version, in sets of
 * paths, without any rule of expiry.
 */
record Reachability(HistoryFixture fixture) {
  /** The files that each version needs, by a name of the version. */
  Map<String, Set<String>> versions() {
    Map<String, Set<String>> versions = new TreeMap<>();
    List<TableStorage> branches = new ArrayList<>(List.of(fixture.storage()));
    for (FileStatus folder : fixture.io.list(HistoryFixture.ROOT.child("branch"))) {
      branches.add(
          fixture.storage().onBranch(folder.location().name().substring("branch-".length())));
    }
    for (TableStorage branch : branches) {
      String name = branch.layout().branch();
      for (long id : branch.snapshots().ids()) {
        Snapshot snapshot = branch.snapshots().find(id).orElseThrow();
        versions.put(name + " snapshot " + id, all(branch, snapshot));
      }
      for (Tag tag : branch.tags().all()) {
        versions.put(name + " tag " + tag.name(), all(branch, tag.snapshot()));
      }
      for (long id : branch.changelogs().ids()) {
        Snapshot changelog = branch.changelogs().find(id).orElseThrow();
        versions.put(name + " changelog " + id, longLived(branch, changelog));
      }
    }
    return versions;
  }

  /** The files that any version needs. */
  Set<String> all() {
    Set<String> files = new TreeSet<>();
    versions().values().forEach(files::addAll);
    return files;
  }

  /** Versions with files that do not exist, with one of these. */
  List<String> broken() {
    Set<String> existing = fixture.managedFiles();
    List<String> broken = new ArrayList<>();
    versions()
        .forEach(
            (version, files) ->
                files.stream()
                    .filter(file -> !existing.contains(file))
                    .findFirst()
                    .ifPresent(file -> broken.add(version + " lacks " + file)));
    return broken;
  }

  private Set<String> all(TableStorage storage, Snapshot snapshot) {
    Set<String> files = new TreeSet<>();
    Map<String, Integer> data = new TreeMap<>();
    for (String list : List.of(snapshot.baseManifestList(), snapshot.deltaManifestList())) {
      for (ManifestEntry entry : entries(storage, list, files)) {
        int sign = entry.kind() == EntryKind.ADD ? 1 : -1;
        paths(entry).forEach(path -> data.merge(path, sign, Integer::sum));
      }
    }
    data.forEach(
        (path, count) -> {
          if (count > 0) {
            files.add(path);
          }
        });
    changelog(storage, snapshot, files);
    String indexManifest = snapshot.indexManifest();
    if (indexManifest != null) {
      files.add(storage.layout().manifest(indexManifest).path());
      for (IndexEntry index : storage.manifests().indexes(indexManifest)) {
        files.add(storage.layout().indexFolder().child(index.file().name()).path());
      }
    }
    return files;
  }

  private void changelog(TableStorage storage, Snapshot snapshot, Set<String> files) {
    String list = snapshot.changelogManifestList();
    if (list != null) {
      entries(storage, list, files).forEach(entry -> files.addAll(paths(entry)));
    }
  }

  /** A changelog without changelog files needs the files that its snapshot added. */
  private Set<String> longLived(TableStorage storage, Snapshot changelog) {
    Set<String> files = new TreeSet<>();
    changelog(storage, changelog, files);
    if (changelog.changelogManifestList() == null
        && fixture.options().asMap().getOrDefault("changelog-producer", "none").equals("none")) {
      entries(storage, changelog.baseManifestList(), files);
      for (ManifestEntry entry : entries(storage, changelog.deltaManifestList(), files)) {
        if (entry.kind() == EntryKind.ADD) {
          files.addAll(paths(entry));
        }
      }
    }
    return files;
  }

  private static List<ManifestEntry> entries(TableStorage storage, String list, Set<String> files) {
    files.add(storage.layout().manifest(list).path());
    List<ManifestEntry> entries = new ArrayList<>();
    for (ManifestFile manifest : storage.manifests().list(list, null)) {
      files.add(storage.layout().manifest(manifest.name()).path());
      entries.addAll(storage.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL));
    }
    return entries;
  }

  private List<String> paths(ManifestEntry entry) {
    Location file = fixture.addresses().dataFile(entry.partition(), entry.bucket(), entry.file());
    List<String> paths = new ArrayList<>(List.of(file.path()));
    entry.file().extraFiles().forEach(extra -> paths.add(file.parent().child(extra).path()));
    return paths;
  }
}
