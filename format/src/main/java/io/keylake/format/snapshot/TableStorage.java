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

package io.keylake.format.snapshot;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.format.schema.SchemaStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * All metadata files of one branch of a table: what the table's packages are handed. Immutable, but
 * for what the stores keep in memory; safe for use by many threads. Lives on the driver, nothing to
 * close.
 */
public final class TableStorage {
  private final String name;
  private final FileIO io;
  private final TableLayout layout;
  private final Clock clock;
  private final ManifestCache cache;
  private final SchemaStore schemas;
  private final SnapshotStore snapshots;
  private final ManifestReader manifests;

  /**
   * The storage of a table.
   *
   * @param name the table's name, for messages
   * @param io storage
   * @param layout the places of the table's files, seen through a branch
   * @param clock tells how old files are
   * @param cache keeps manifests
   */
  public TableStorage(
      String name, FileIO io, TableLayout layout, Clock clock, ManifestCache cache) {
    this.name = name;
    this.io = io;
    this.layout = layout;
    this.clock = clock;
    this.cache = cache;
    this.schemas = new SchemaStore(io, layout);
    this.snapshots = new SnapshotStore(io, layout, clock, name);
    this.manifests = new ManifestReader(io, layout, cache);
  }

  /** The storage of a table, with the system's clock and the process's manifest cache. */
  public static TableStorage of(String name, FileIO io, TableLayout layout) {
    return new TableStorage(name, io, layout, Clock.systemUTC(), ManifestCache.shared());
  }

  /** The same table seen through a branch. */
  public TableStorage onBranch(String branch) {
    return new TableStorage(name, io, layout.onBranch(branch), clock, cache);
  }

  /** The same files with another idea of where they are, such as data files placed by options. */
  public TableStorage withLayout(TableLayout newLayout) {
    return new TableStorage(name, io, newLayout, clock, cache);
  }

  /** The table's name, for messages. */
  public String name() {
    return name;
  }

  /** Access to storage. */
  public FileIO io() {
    return io;
  }

  /** Where files are. */
  public TableLayout layout() {
    return layout;
  }

  /** The schemas of the branch. */
  public SchemaStore schemas() {
    return schemas;
  }

  /** The snapshots of the branch. */
  public SnapshotStore snapshots() {
    return snapshots;
  }

  /** The long-lived changelogs of the branch. */
  public ChangelogStore changelogs() {
    return new ChangelogStore(io, layout);
  }

  /** The tags of the branch. */
  public TagStore tags() {
    return new TagStore(io, layout, name);
  }

  /** The consumers of the branch. */
  public ConsumerStore consumers() {
    return new ConsumerStore(io, layout);
  }

  /** The table's statistics. */
  public StatisticsStore statistics() {
    return new StatisticsStore(io, layout);
  }

  /** The table's branches. */
  public BranchStore branches() {
    return new BranchStore(io, layout);
  }

  /** The table's manifests. */
  public ManifestReader manifests() {
    return manifests;
  }

  /** The manifests that make up a snapshot's data: first the base list, then the delta list. */
  public List<ManifestFile> dataManifests(Snapshot snapshot) {
    List<ManifestFile> all = new ArrayList<>(baseManifests(snapshot));
    all.addAll(deltaManifests(snapshot));
    return all;
  }

  /** The manifests of everything before a snapshot. */
  public List<ManifestFile> baseManifests(Snapshot snapshot) {
    return manifests.list(snapshot.baseManifestList(), snapshot.baseManifestListSize());
  }

  /** The manifests of a snapshot's own changes. */
  public List<ManifestFile> deltaManifests(Snapshot snapshot) {
    return manifests.list(snapshot.deltaManifestList(), snapshot.deltaManifestListSize());
  }

  /** The manifests of a snapshot's changelog files. */
  public List<ManifestFile> changelogManifests(Snapshot snapshot) {
    String list = snapshot.changelogManifestList();
    return list == null ? List.of() : manifests.list(list, snapshot.changelogManifestListSize());
  }

  /** The live index files of a snapshot. */
  public List<IndexEntry> indexEntries(Snapshot snapshot) {
    String name = snapshot.indexManifest();
    return name == null ? List.of() : manifests.indexes(name);
  }
}
