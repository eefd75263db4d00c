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

package io.keylake.table.fence;

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a branch's folder {@code fence}: what is left of commits of streams after their
 * snapshots have expired.
 *
 * <ol>
 *   <li>Before its first snapshot a stream, or a job that numbers its commits, notes that snapshots
 *       up to then hold none of either: a folder without that note says that there never was one.
 *   <li>Expiry, before it deletes snapshots, writes the newest commit of each such user of them,
 *       and then that these snapshots are covered. Who looks at snapshots first and at the folder
 *       then misses none.
 *   <li>Where snapshots are missing that are not covered, others have expired them: commits up to
 *       the time of the next one may be lost.
 *   <li>There is one file of a user at most, but for a moment, and none older than {@code
 *       commit.fence-time-retained}, so the folder stays small.
 * </ol>
 *
 * <p>No other engine looks at the folder. Rule source: our own; the format knows commits of a
 * stream by its snapshots only. Pinned by {@code FencesTest}.
 */
public final class FenceStore {
  private static final String FOLDER = "fence";

  private final TableStorage storage;

  /** The fences of a branch. */
  public FenceStore(TableStorage storage) {
    this.storage = storage;
  }

  private record Listing(List<Fence> fences, List<Coverage> coverages) {
    Optional<Coverage> newest() {
      return coverages.stream().max(Comparator.comparingLong(Coverage::to));
    }
  }

  private Location folder() {
    return storage.layout().branchFolder().child(FOLDER);
  }

  private Listing list() {
    List<Fence> fences = new ArrayList<>();
    List<Coverage> coverages = new ArrayList<>();
    for (FileStatus file : storage.io().list(folder())) {
      String name = file.location().name();
      Fence.parse(name).ifPresent(fences::add);
      Coverage.parse(name).ifPresent(coverages::add);
    }
    return new Listing(fences, coverages);
  }

  /**
   * Notes, if nothing was noted before, that commits are fenced from now on.
   *
   * @param latest the newest snapshot's id, which the caller has read before; 0 = none
   * @return the id up to which no snapshot need be looked at
   */
  public long begin(long latest) {
    Optional<Coverage> known = list().newest();
    if (known.isPresent()) {
      return known.get().to();
    }
    write(new Coverage(latest, 0, 0).fileName(), "");
    return latest;
  }

  /** The id up to which fences tell everything; empty when nothing was ever fenced. */
  OptionalLong coveredTo() {
    Optional<Coverage> known = list().newest();
    return known.isPresent() ? OptionalLong.of(known.get().to()) : OptionalLong.empty();
  }

  /** The newest fenced commit of a user. */
  Optional<Fence> newest(String user) {
    String digest = Fence.digest(user);
    return list().fences().stream()
        .filter(fence -> fence.digest().equals(digest))
        .max(Comparator.comparingLong(Fence::identifier));
  }

  /** Whether a commit, or a later one of the same user, is fenced. */
  public boolean holds(String user, long identifier) {
    return newest(user).filter(fence -> fence.identifier() >= identifier).isPresent();
  }

  /** What is known when {@code earliest} is the oldest snapshot, null = there is none. */
  Coverage coverage(@Nullable Snapshot earliest) {
    Coverage known = list().newest().orElse(Coverage.NOTHING);
    if (earliest == null || earliest.id() <= known.to() + 1) {
      return known;
    }
    return new Coverage(
        known.to(), Math.max(known.lostMillis(), earliest.timeMillis()), known.agedMillis());
  }

  /**
   * Keeps what snapshots say that are about to be deleted.
   *
   * @param expired those that exist of them, oldest first, read before
   * @param next the oldest that stays
   * @param agedBefore fences from before this time are dropped
   */
  public void keep(List<Snapshot> expired, Snapshot next, long agedBefore) {
    Listing before = list();
    Optional<Coverage> known = before.newest();
    if (known.isEmpty() || expired.isEmpty()) {
      return;
    }
    Map<String, Fence> newest = new HashMap<>();
    before.fences().forEach(fence -> add(newest, fence));
    Map<String, String> users = new TreeMap<>();
    for (Snapshot snapshot : expired) {
      if (snapshot.commitIdentifier() != Snapshot.BATCH_IDENTIFIER
          && snapshot.id() > known.get().to()) {
        String digest = Fence.digest(snapshot.commitUser());
        users.put(digest, snapshot.commitUser());
        add(newest, new Fence(snapshot.timeMillis(), snapshot.commitIdentifier(), digest));
      }
    }
    long aged = known.get().agedMillis();
    Set<Fence> kept = new HashSet<>();
    for (Fence fence : newest.values()) {
      if (fence.timeMillis() < agedBefore) {
        aged = Math.max(aged, fence.timeMillis());
      } else {
        kept.add(fence);
      }
    }
    kept.stream()
        .filter(fence -> !before.fences().contains(fence))
        .forEach(fence -> write(fence.fileName(), users.getOrDefault(fence.digest(), "")));
    long to = Math.max(known.get().to(), next.id() - 1);
    Coverage now = new Coverage(to, lost(known.get(), expired, next), aged);
    if (!before.coverages().contains(now)) {
      write(now.fileName(), "");
    }
    before.fences().stream().filter(fence -> !kept.contains(fence)).forEach(this::delete);
    before.coverages().stream()
        .filter(other -> !other.equals(now))
        .forEach(other -> storage.io().delete(folder().child(other.fileName())));
  }

  private static void add(Map<String, Fence> newest, Fence fence) {
    newest.merge(
        fence.digest(), fence, (one, two) -> one.identifier() >= two.identifier() ? one : two);
  }

  /** Commits up to the time of the first snapshot after a missing one may be lost. */
  private static long lost(Coverage known, List<Snapshot> expired, Snapshot next) {
    List<Snapshot> all = new ArrayList<>(expired);
    all.add(next);
    long lost = known.lostMillis();
    long last = known.to();
    for (Snapshot snapshot : all) {
      if (snapshot.id() > last + 1) {
        lost = Math.max(lost, snapshot.timeMillis());
      }
      last = Math.max(last, snapshot.id());
    }
    return lost;
  }

  private void write(String name, String text) {
    storage.io().overwrite(folder().child(name), text.getBytes(StandardCharsets.UTF_8));
  }

  private void delete(Fence fence) {
    storage.io().delete(folder().child(fence.fileName()));
  }
}
