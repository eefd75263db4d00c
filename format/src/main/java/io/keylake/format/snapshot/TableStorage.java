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
import io.keylake.format.layout.TableLayout;
import io.keylake.format.manifest.ManifestCache;
import io.keylake.format.manifest.ManifestReader;
import java.time.Clock;

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
}
