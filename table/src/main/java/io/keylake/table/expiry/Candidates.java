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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.table.scan.FileAddresses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that may go, until something is found to need them. What is kept is looked up by name
 * first, so that asking a large version costs no address per file. A file outside the places that
 * the table may use is no candidate. For one thread.
 */
final class Candidates {
  private static final Logger LOG = LoggerFactory.getLogger(Candidates.class);

  private final TableLayout layout;
  private final FileAddresses addresses;
  private final Map<String, Set<Location>> byName = new HashMap<>();

  Candidates(TableLayout layout, FileAddresses addresses) {
    this.layout = layout;
    this.addresses = addresses;
  }

  /** None yet, of the same table. */
  Candidates none() {
    return new Candidates(layout, addresses);
  }

  /** A data or changelog file with its side files. */
  void add(ManifestEntry entry) {
    try {
      forEachFile(entry, this::add);
    } catch (TableException e) {
      ignore(e);
    }
  }

  /** An index file. */
  void add(IndexEntry index) {
    try {
      add(address(index));
    } catch (TableException e) {
      ignore(e);
    }
  }

  private static void ignore(TableException e) {
    if (e.condition() != Condition.KEYLAKE_FORBIDDEN_PATH) {
      throw e;
    }
    LOG.warn("A file of expired history stays: {}", e.getMessage());
  }

  /** A manifest, manifest list or index manifest. */
  void addManifest(String name) {
    add(layout.manifest(name));
  }

  /** A statistics file. */
  void addStatistics(String name) {
    add(layout.statistics(name));
  }

  void addAll(Candidates others) {
    others.byName.values().forEach(files -> files.forEach(this::add));
  }

  private void add(Location file) {
    byName.computeIfAbsent(file.name(), name -> new HashSet<>(1)).add(file);
  }

  /** Whether a data file, or one of its side files, may be one of the candidates. */
  boolean mayHold(DataFile file) {
    return byName.containsKey(file.name())
        || file.extraFiles().stream().anyMatch(byName::containsKey);
  }

  void keep(ManifestEntry entry) {
    if (mayHold(entry.file())) {
      forEachFile(entry, this::keep);
    }
  }

  void keep(IndexEntry index) {
    if (byName.containsKey(index.file().name())) {
      keep(address(index));
    }
  }

  void keepManifest(String name) {
    keep(layout.manifest(name));
  }

  void keepStatistics(String name) {
    keep(layout.statistics(name));
  }

  private void keep(Location file) {
    Set<Location> files = byName.get(file.name());
    if (files != null && files.remove(file) && files.isEmpty()) {
      byName.remove(file.name());
    }
  }

  private void forEachFile(ManifestEntry entry, Consumer<Location> action) {
    DataFile file = entry.file();
    action.accept(addresses.dataFile(entry.partition(), entry.bucket(), file));
    for (String extra : file.extraFiles()) {
      action.accept(addresses.extraFile(entry.partition(), entry.bucket(), file, extra));
    }
  }

  private Location address(IndexEntry index) {
    return addresses.indexFile(index.partition(), index.bucket(), index.file());
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** What is left. */
  List<Location> files() {
    return byName.values().stream().flatMap(Set::stream).toList();
  }
}
