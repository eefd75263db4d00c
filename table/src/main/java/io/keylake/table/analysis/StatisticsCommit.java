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

package io.keylake.table.analysis;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestListCodec;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.SnapshotStore;
import io.keylake.format.snapshot.Statistics;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records statistics: a snapshot of kind ANALYZE that changes no row and names the statistics file.
 *
 * <ol>
 *   <li>The statistics name the snapshot and the schema that were analyzed; commits meanwhile do
 *       not matter, unless they have changed the schema or a rollback dropped the analyzed version.
 *   <li>The delta list is empty; the base list holds all manifests of the snapshot before.
 * </ol>
 *
 * <p>Rule source: table format, statistics and commit kinds. Pinned by {@code
 * AnalyzeProcedureSparkTest}.
 */
public final class StatisticsCommit {
  private static final int MAX_TRIES = 20;

  private record ListFile(String name, long size) {}

  private final TableStorage storage;
  private final TableOptions options;
  private final CommitEnvironment environment;
  private final MetadataFileNames names;

  /** Commits to the branch that {@code storage} is seen through. */
  public StatisticsCommit(
      TableStorage storage, TableOptions options, CommitEnvironment environment) {
    this.storage = storage;
    this.options = options;
    this.environment = environment;
    this.names = new MetadataFileNames(environment.ids());
  }

  /**
   * Records statistics of {@code analyzed}.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when the table has other
   *     columns by now, or when a rollback dropped the analyzed snapshot
   */
  public Snapshot commit(Snapshot analyzed, Statistics statistics) {
    String file = names.statistics();
    storage.statistics().create(file, statistics);
    String user = environment.ids().next();
    for (int i = 0; i < MAX_TRIES; i++) {
      Snapshot latest =
          storage.snapshots().latest().orElseThrow(() -> storage.snapshots().notFound("Snapshot"));
      check(analyzed, latest, statistics, file);
      ListFile base = list(storage.dataManifests(latest));
      ListFile delta = list(List.of());
      Snapshot snapshot = snapshot(latest, base, delta, user, file);
      if (storage.snapshots().publish(snapshot) == FileIO.Publication.PUBLISHED) {
        if (isStanding(latest)) {
          storage.snapshots().writeLatestHint(snapshot.id());
          return snapshot;
        }
        storage.snapshots().delete(snapshot.id());
        storage.snapshots().deleteLatestHint();
      } else {
        storage.io().delete(storage.layout().manifest(base.name()));
        storage.io().delete(storage.layout().manifest(delta.name()));
      }
    }
    throw conflict(file, "Other commits came first in all " + MAX_TRIES + " tries.");
  }

  private void check(Snapshot analyzed, Snapshot latest, Statistics statistics, String file) {
    boolean isKnown =
        storage
            .snapshots()
            .find(analyzed.id())
            .map(found -> found.deltaManifestList().equals(analyzed.deltaManifestList()))
            .orElse(analyzed.id() < latest.id());
    if (!isKnown) {
      throw conflict(
          file, "A rollback dropped snapshot " + analyzed.id() + ", which was analyzed.");
    }
    long newest = storage.schemas().latestId().orElse(statistics.schemaId());
    if (newest != statistics.schemaId()) {
      throw conflict(file, "Its columns were changed meanwhile.");
    }
  }

  private CommitConflictException conflict(String file, String what) {
    storage.io().delete(storage.layout().statistics(file));
    return new CommitConflictException(
        Condition.KEYLAKE_CONCURRENT_MODIFICATION,
        "Cannot record statistics of table " + storage.name() + ". " + what + " Analyze it again.");
  }

  /** Whether the snapshot below the new one is still part of the table, see commits. */
  private boolean isStanding(Snapshot below) {
    SnapshotStore snapshots = storage.snapshots();
    Optional<Snapshot> now = snapshots.find(below.id());
    return now.isPresent()
        ? now.get().deltaManifestList().equals(below.deltaManifestList())
        : snapshots.ids().stream().noneMatch(other -> other < below.id());
  }

  private ListFile list(List<ManifestFile> manifests) {
    byte[] content = ManifestListCodec.write(manifests, options.manifest().zstdLevel());
    String name = names.manifestList();
    Location place = storage.layout().manifest(name);
    storage.io().create(place, content);
    return new ListFile(name, content.length);
  }

  private Snapshot snapshot(
      Snapshot latest, ListFile base, ListFile delta, String user, String statistics) {
    return new Snapshot(
        Snapshot.CURRENT_VERSION,
        latest.id() + 1,
        latest.schemaId(),
        base.name(),
        base.size(),
        delta.name(),
        delta.size(),
        null,
        null,
        latest.indexManifest(),
        user,
        Snapshot.BATCH_IDENTIFIER,
        CommitKind.ANALYZE,
        Math.max(environment.clock().millis(), latest.timeMillis() + 1),
        latest.totalRecordCount(),
        0,
        null,
        latest.watermark(),
        statistics,
        Map.of(),
        latest.nextRowId(),
        UnknownKeys.NONE);
  }
}
