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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.FaultyFileIO;
import io.keylake.format.fileio.FaultyFileIO.Moment;
import io.keylake.format.fileio.FaultyFileIO.ProcessDied;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.expiry.HistoryFixture.Extra;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every call to storage of an expiry goes wrong once, before or after its effect. */
final class ExpiryFaultTest {
  private static final Map<String, String> OPTIONS =
      Map.of(
          "changelog-producer",
          "input",
          "changelog.num-retained.max",
          "4",
          "snapshot.num-retained.max",
          "2",
          "snapshot.clean-empty-directories",
          "true");

  /** Six snapshots, the second one tagged, with a compaction, an index file and changelogs. */
  private static HistoryFixture newTable() {
    HistoryFixture table = HistoryFixture.create(OPTIONS);
    TableStorage storage = table.storage();
    List<DataFile> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      DataFile file = table.newFile("a", "data", Extra.INDEX);
      files.add(file);
      FileChanges changes =
          new FileChanges(
              List.of(file),
              List.of(),
              List.of(table.newFile("a", "changelog", Extra.NONE)),
              i == 0 ? List.of(table.newIndex()) : List.of(),
              List.of());
      Snapshot snapshot = table.commit(storage, "a", changes);
      if (i == 1) {
        storage.tags().write(new Tag("kept", snapshot, null, null));
      }
    }
    DataFile merged = table.newFile("a", "data", Extra.NONE);
    table.commit(storage, "a", HistoryFixture.replaced(files, List.of(merged)));
    table.append(storage, "b");
    table.append(storage, "b");
    return table;
  }

  private static void expire(HistoryFixture table, FileIO io) {
    TableStorage storage = table.storage(io);
    new SnapshotExpiry(table.history(storage)).run(HistoryFixture.keep(2));
    new ChangelogExpiry(table.history(storage)).run(HistoryFixture.keep(4));
  }

  private static boolean succeeds(HistoryFixture table, FileIO io) {
    try {
      expire(table, io);
      return true;
    } catch (TableException | UncheckedIOException | ProcessDied e) {
      return false;
    }
  }

  private static void forEveryCall(FaultMaker maker) {
    HistoryFixture counted = newTable();
    FaultyFileIO counting = FaultyFileIO.counting(counted.io);
    expire(counted, counting);
    int calls = counting.calls().size();
    assertThat(calls).isGreaterThan(50);
    int failures = 0;
    for (Moment moment : Moment.values()) {
      for (int call = 1; call <= calls; call++) {
        HistoryFixture table = newTable();
        FaultyFileIO io = maker.make(table.io, call, moment);
        boolean done = succeeds(table, io);
        failures += done ? 0 : 1;
        String place = moment + " " + call + ": " + io.calls().get(call - 1);
        assertThat(new Reachability(table).broken()).as(place).isEmpty();
        expire(table, table.io);
        assertThat(table.storage().snapshots().ids()).as(place).containsExactly(5L, 6L);
        assertThat(table.storage().snapshots().earliestId()).as(place).hasValue(5);
        assertThat(table.storage().changelogs().ids()).as(place).containsExactly(3L, 4L);
        assertThat(new Reachability(table).broken()).as(place).isEmpty();
        Set<String> named = removeOrphans(table);
        Set<String> left = new HashSet<>(table.managedFiles());
        left.removeAll(new Reachability(table).all());
        assertThat(left)
            .as(place)
            .allMatch(file -> named.contains(file.substring(file.lastIndexOf('/') + 1)));
      }
    }
    assertThat(failures).isPositive();
  }

  private interface FaultMaker {
    FaultyFileIO make(FileIO io, int call, Moment moment);
  }

  /**
   * What a run that stopped has left is found by its name, but for data files that manifests still
   * name as removed: the names that are known.
   */
  private static Set<String> removeOrphans(HistoryFixture table) {
    TableStorage storage = table.storage();
    ReferencedMetadata metadata = ReferencedMetadata.of(storage);
    Set<String> names = new HashSet<>(metadata.names());
    metadata.sources().forEach(source -> source.forEachName(storage.manifests(), names::add));
    List<FileStatus> files = new ArrayList<>();
    ManagedFolders.of(table.history(storage), 4)
        .forEach(place -> place.forEachFile(table.io, files::add));
    new FileRemoval(table.io)
        .delete(UnneededFiles.orphans(files, Instant.ofEpochMilli(1), names::contains));
    return names;
  }

  @Test
  void runThatFailsLeavesEveryListedVersionComplete() {
    forEveryCall(FaultyFileIO::failing);
  }

  @Test
  void processThatDiesLeavesEveryListedVersionComplete() {
    forEveryCall(FaultyFileIO::dying);
  }
}
