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
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.expiry.HistoryFixture.Extra;
import io.keylake.table.maintenance.Branches;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random commits, tags, branches, rollbacks and expiries of one table. */
final class RandomTableHistory {
  final HistoryFixture table;
  private final Random random;
  private final boolean givesUp;
  private final List<String> branches = new ArrayList<>(List.of("main"));
  private int tags;

  /** Whether files were given up by other means than expiry, which leaves them to orphans. */
  private boolean leftOrphans;

  /** A history; one of an odd seed also gives up versions by other means than expiry. */
  RandomTableHistory(HistoryFixture table, long seed) {
    this.table = table;
    this.random = new Random(seed);
    this.givesUp = seed % 2 == 1;
  }

  boolean leftOrphans() {
    return leftOrphans;
  }

  /** One step; true when it was an expiry. */
  boolean step() {
    TableStorage branch = table.storage().onBranch(branches.get(random.nextInt(branches.size())));
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> append(branch);
      case 4, 5 -> compact(branch);
      case 6 -> index(branch);
      case 7 -> tag(branch);
      case 8 -> branch();
      case 9 -> giveUp(branch);
      default -> {
        expire(branch);
        return true;
      }
    }
    return false;
  }

  private String partition() {
    return random.nextBoolean() ? "a" : "b";
  }

  private Extra extra() {
    return random.nextInt(3) == 0 ? Extra.INDEX : Extra.NONE;
  }

  private void append(TableStorage branch) {
    String partition = partition();
    List<DataFile> added = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      added.add(table.newFile(partition, "data", extra()));
    }
    boolean producer = table.options().asMap().containsKey("changelog-producer");
    List<DataFile> changelog =
        producer && random.nextBoolean()
            ? List.of(table.newFile(partition, "changelog", Extra.NONE))
            : List.of();
    FileChanges changes = new FileChanges(added, List.of(), changelog, List.of(), List.of());
    Snapshot unused = table.commit(branch, partition, changes);
  }

  private void compact(TableStorage branch) {
    String partition = partition();
    List<DataFile> live = live(branch, partition);
    if (live.isEmpty()) {
      return;
    }
    Collections.shuffle(live, random);
    List<DataFile> removed = live.subList(0, 1 + random.nextInt(live.size()));
    DataFile one = removed.get(0);
    FileChanges changes =
        random.nextInt(3) == 0
            ? HistoryFixture.replaced(List.of(one), List.of(one.withLevel(one.level() + 1)))
            : HistoryFixture.replaced(removed, List.of(table.newFile(partition, "data", extra())));
    Snapshot unused = table.commit(branch, partition, changes);
  }

  private void index(TableStorage branch) {
    List<IndexFile> old =
        branch.snapshots().latest().map(branch::indexEntries).orElse(List.of()).stream()
            .filter(entry -> entry.partition().equals(table.partition("a")))
            .map(entry -> entry.file())
            .toList();
    FileChanges changes =
        new FileChanges(
            List.of(table.newFile("a", "data", Extra.NONE)),
            List.of(),
            List.of(),
            List.of(table.newIndex()),
            old);
    Snapshot unused = table.commit(branch, "a", changes);
  }

  private void tag(TableStorage branch) {
    List<Snapshot> snapshots = branch.snapshots().all();
    if (!snapshots.isEmpty()) {
      Snapshot snapshot = snapshots.get(random.nextInt(snapshots.size()));
      branch.tags().write(new Tag("t" + tags++, snapshot, null, null));
    }
  }

  private void branch() {
    List<Tag> all = table.storage().tags().all();
    if (!all.isEmpty() && branches.size() < 4) {
      String name = "b" + branches.size();
      new Branches(table.storage()).createFromTag(name, all.get(random.nextInt(all.size())).name());
      branches.add(name);
    }
  }

  /** Deletes a tag, rolls back, or makes a branch the main history. */
  private void giveUp(TableStorage branch) {
    if (!givesUp) {
      return;
    }
    leftOrphans = true;
    List<Tag> all = branch.tags().all();
    int choice = random.nextInt(3);
    if (choice == 0 && !all.isEmpty()) {
      branch.tags().delete(all.get(random.nextInt(all.size())).name());
    } else if (choice == 1) {
      rollback(branch);
    } else if (choice == 2 && branches.size() > 1) {
      fastForward(branches.get(1 + random.nextInt(branches.size() - 1)));
    }
  }

  /** Only to a branch whose history goes on from one that main still has. */
  private void fastForward(String branch) {
    TableStorage source = table.storage().onBranch(branch);
    long first = source.snapshots().earliestId().orElseThrow();
    String ofBranch = source.snapshots().load(first).deltaManifestList();
    boolean goesOn =
        table
            .storage()
            .snapshots()
            .find(first)
            .map(Snapshot::deltaManifestList)
            .filter(ofBranch::equals)
            .isPresent();
    if (goesOn) {
      new Branches(table.storage()).fastForward(branch);
    }
  }

  private static void rollback(TableStorage branch) {
    List<Long> ids = branch.snapshots().ids();
    if (ids.size() < 2) {
      return;
    }
    long target = ids.get(ids.size() - 2);
    for (Tag tag : branch.tags().all()) {
      if (tag.snapshot().id() > target) {
        branch.tags().delete(tag.name());
      }
    }
    branch.snapshots().deleteLatestHint();
    branch.io().delete(branch.snapshots().file(target + 1));
  }

  void expire(TableStorage branch) {
    int kept = 1 + random.nextInt(4);
    Expired unused = new SnapshotExpiry(table.history(branch)).run(HistoryFixture.keep(kept));
    if (table.options().retention().decouplesChangelogs() && random.nextBoolean()) {
      unused =
          new ChangelogExpiry(table.history(branch))
              .run(HistoryFixture.keep(kept + random.nextInt(4)));
    }
  }

  private List<DataFile> live(TableStorage branch, String partition) {
    ManifestMerge merge = new ManifestMerge("test");
    branch
        .snapshots()
        .latest()
        .ifPresent(
            snapshot -> {
              for (ManifestFile manifest : branch.dataManifests(snapshot)) {
                merge.addAll(
                    branch.manifests().entries(manifest, StatsProjection.SKIP, EntryFilter.ALL));
              }
            });
    List<DataFile> live = new ArrayList<>();
    for (ManifestEntry entry : merge.entries()) {
      if (entry.partition().equals(table.partition(partition))) {
        live.add(entry.file());
      }
    }
    return live;
  }
}
