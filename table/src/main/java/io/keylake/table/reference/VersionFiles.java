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

package io.keylake.table.reference;

import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.TableStorage;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The metadata files of the newest version of a branch: whether they are there, and whether the
 * hints name the right snapshots. A wrong hint of the newest snapshot misleads other readers.
 *
 * <p>Rule source: table format, hint files. Pinned by {@code CopyProcedureSparkTest}.
 */
public final class VersionFiles {
  private final TableStorage storage;

  /** The files of a branch. */
  public VersionFiles(TableStorage storage) {
    this.storage = storage;
  }

  /**
   * Something that is wrong.
   *
   * @param problem what
   * @param action what was done about it, or would be
   */
  public record Finding(String problem, String action) {}

  /** The id of the newest snapshot in the folder; empty when there is none. */
  public OptionalLong newest() {
    List<Long> ids = storage.snapshots().ids();
    return ids.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ids.get(ids.size() - 1));
  }

  /** What is wrong. */
  public List<Finding> check() {
    List<Finding> findings = new ArrayList<>(missing());
    List<Long> ids = storage.snapshots().ids();
    if (!ids.isEmpty()) {
      hint(TableLayout.LATEST)
          .filter(hint -> !hint.equals(Long.toString(ids.get(ids.size() - 1))))
          .ifPresent(hint -> findings.add(wrong(TableLayout.LATEST, hint)));
      hint(TableLayout.EARLIEST)
          .filter(hint -> !hint.equals(Long.toString(ids.get(0))))
          .ifPresent(hint -> findings.add(wrong(TableLayout.EARLIEST, hint)));
    }
    return findings;
  }

  private static Finding wrong(String name, String hint) {
    return new Finding("the hint " + name + " says '" + hint + "'", "hint written anew");
  }

  /** Says what is wrong, and writes wrong hints anew. */
  public List<Finding> mend() {
    List<Finding> findings = check();
    SnapshotStore snapshots = storage.snapshots();
    List<Long> ids = snapshots.ids();
    for (Finding finding : findings) {
      if (finding.equals(wrongOf(TableLayout.LATEST))) {
        snapshots.writeLatestHint(ids.get(ids.size() - 1));
      } else if (finding.equals(wrongOf(TableLayout.EARLIEST))) {
        snapshots.writeEarliestHint(ids.get(0));
      }
    }
    return findings;
  }

  private Finding wrongOf(String name) {
    return wrong(name, hint(name).orElse(""));
  }

  private Optional<String> hint(String name) {
    return storage
        .io()
        .readIfExists(storage.layout().snapshotFolder().child(name))
        .map(content -> new String(content, StandardCharsets.UTF_8).trim());
  }

  private List<Finding> missing() {
    OptionalLong newest = newest();
    if (newest.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    try {
      Snapshot snapshot = storage.snapshots().load(newest.getAsLong());
      storage.schemas().load(snapshot.schemaId());
      storage.indexEntries(snapshot);
      List<ManifestFile> manifests = new ArrayList<>(storage.dataManifests(snapshot));
      manifests.addAll(storage.changelogManifests(snapshot));
      for (ManifestFile manifest : manifests) {
        Location file = storage.layout().manifest(manifest.name());
        if (!storage.io().exists(file)) {
          findings.add(new Finding("manifest " + file + " is missing", "none"));
        }
      }
      storage.statistics().of(snapshot);
    } catch (TableException | UncheckedIOException e) {
      findings.add(new Finding(String.valueOf(e.getMessage()), "none"));
    }
    return findings;
  }
}
