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

package io.keylake.table.maintenance;

import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.ManifestOptions;
import io.keylake.table.options.TableOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Merges the manifests of a table's newest snapshot, small ones and those with removed files, by a
 * snapshot that changes nothing else. Without two that can be merged nothing is done.
 *
 * <p>Pinned by {@code ManifestMergingTest}.
 */
public final class ManifestMerging {
  private final CommitTable table;
  private final CommitEnvironment environment;
  private final String user;

  /**
   * For the branch that {@code table} is seen through.
   *
   * @param user who commits; must be new
   */
  public ManifestMerging(CommitTable table, CommitEnvironment environment, String user) {
    this.table = table;
    this.environment = environment;
    this.user = user;
  }

  /**
   * The manifests of a snapshot.
   *
   * @param files how many there are
   * @param bytes of all of them
   */
  public record Manifests(int files, long bytes) {
    static final Manifests NONE = new Manifests(0, 0);

    static Manifests of(List<ManifestFile> manifests) {
      return new Manifests(
          manifests.size(), manifests.stream().mapToLong(ManifestFile::size).sum());
    }
  }

  /**
   * What was done.
   *
   * @param before the manifests before
   * @param after those of the new snapshot; as before when there is none
   * @param snapshot the new snapshot; null when there was nothing to merge
   */
  public record Outcome(Manifests before, Manifests after, @Nullable Snapshot snapshot) {}

  /** What there is to merge; a snapshot is made by {@link #run} only. */
  public Outcome look() {
    Manifests now =
        table
            .storage()
            .snapshots()
            .latest()
            .map(this::manifests)
            .map(Manifests::of)
            .orElse(Manifests.NONE);
    return new Outcome(now, now, null);
  }

  /** Whether {@link #run} would make a snapshot. */
  public boolean isDue() {
    return table
        .storage()
        .snapshots()
        .latest()
        .map(this::manifests)
        .filter(this::canMerge)
        .isPresent();
  }

  /**
   * Merges.
   *
   * @throws io.keylake.format.errors.CommitConflictException when other commits come first every
   *     time
   */
  public Outcome run() {
    Outcome now = look();
    if (!isDue()) {
      return now;
    }
    Map<String, String> options = new HashMap<>(table.options().asMap());
    options.put(CommitKeys.MANIFEST_FULL_THRESHOLD.name(), "0 b");
    CommitTable eager =
        new CommitTable(table.storage(), table.schema(), TableOptions.of(table.schema(), options));
    Optional<Snapshot> made =
        new TableCommitter(eager, environment)
            .commit(CommitRequest.mergingManifests(user))
            .newest();
    return made.map(
            snapshot -> new Outcome(now.before(), Manifests.of(manifests(snapshot)), snapshot))
        .orElse(now);
  }

  private List<ManifestFile> manifests(Snapshot snapshot) {
    return table.storage().dataManifests(snapshot);
  }

  private boolean canMerge(List<ManifestFile> manifests) {
    ManifestOptions options = table.options().manifest();
    long outdated = manifests.stream().filter(file -> file.deletedFiles() > 0).count();
    long small =
        manifests.stream()
            .filter(file -> file.deletedFiles() == 0 && file.size() < options.targetBytes())
            .count();
    return outdated + small > 1 || (outdated == 1 && manifests.size() > 1);
  }
}
