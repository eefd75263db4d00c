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

package io.keylake.table.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files tell the changes of each snapshot of tables that the reference wrote. */
final class ChangeLogTest {
  @TempDir private Path folder;

  private TableStorage storage;

  private ChangeLog log(String table) {
    storage =
        TableStorage.of(
            "golden." + table,
            HadoopFileIO.of(new Configuration(false)),
            TableLayout.of(new Location("file:" + GoldenTables.unpack(table, folder))));
    TableSchema schema = storage.schemas().latest().orElseThrow();
    return new ChangeLog(storage, schema, TableOptions.of(schema));
  }

  @Test
  void aDifferenceHasTheFilesBeforeAndAfter() {
    ChangeLog log = log("pk_multi_level");

    for (Snapshot snapshot : storage.snapshots().all()) {
      Optional<CommitChanges> changes = log.of(snapshot, ChangeRules.exact());
      if (snapshot.commitKind() == CommitKind.COMPACT) {
        assertThat(changes).isEmpty();
        continue;
      }
      ChangedBucket bucket = changes.orElseThrow().buckets().get(0);
      assertThat(changes.get().source()).isEqualTo(Source.DIFFERENCE);
      Set<String> grown = names(Objects.requireNonNull(bucket.after()));
      Set<String> before = names(Objects.requireNonNull(bucket.before()));
      assertThat(grown).containsAll(before).hasSizeGreaterThan(before.size());
      assertThat(rows(bucket.after()) - rows(bucket.before()))
          .isEqualTo(snapshot.deltaRecordCount());
    }
  }

  private static Set<String> names(BucketFiles bucket) {
    Set<String> names = new HashSet<>();
    bucket.files().forEach(file -> names.add(file.name()));
    return names;
  }

  private static long rows(BucketFiles bucket) {
    return bucket.files().stream().mapToLong(DataFile::rowCount).sum();
  }

  @Test
  void newDeletionVectorsAreADifference() {
    ChangeLog log = log("dv_append");

    assertThat(log.of(1, ChangeRules.exact()).orElseThrow().source()).isEqualTo(Source.ADDED_FILES);
    CommitChanges marked = log.of(2, ChangeRules.exact()).orElseThrow();
    assertThat(marked.source()).isEqualTo(Source.DIFFERENCE);
    assertThat(marked.buckets())
        .singleElement()
        .satisfies(
            bucket -> {
              assertThat(Objects.requireNonNull(bucket.before()).vectors()).isEmpty();
              assertThat(Objects.requireNonNull(bucket.after()).vectors()).hasSize(1);
            });
    assertThat(log.of(4, ChangeRules.exact()).orElseThrow().source()).isEqualTo(Source.ADDED_FILES);
  }

  @Test
  void anOverwriteIsADifferenceAndNothingToOthers() {
    ChangeLog log = log("overwrites");

    assertThat(log.of(2, ChangeRules.exact()).orElseThrow().source()).isEqualTo(Source.DIFFERENCE);
    assertThat(log.of(2, ChangeRules.delta())).isEmpty();
    assertThat(log.of(2, ChangeRules.delta().withOverwrite(ChangeRules.Take.ADDED_FILES)))
        .isPresent();
  }

  @Test
  void stagedRowsBecomeChangesWhenTheyAreMoved() {
    ChangeLog log = log("postpone");

    assertThat(log.of(1, ChangeRules.exact())).isEmpty();
    assertThat(log.of(3, ChangeRules.exact()).orElseThrow().buckets())
        .extracting(ChangedBucket::bucket)
        .containsExactlyInAnyOrder(0, 1);
    assertThat(log.of(4, ChangeRules.exact())).isEmpty();
  }

  @Test
  void timesRiseStrictly() {
    ChangeLog log = log("multi_file");
    long last = Long.MIN_VALUE;
    for (Snapshot snapshot : storage.snapshots().all()) {
      assertThat(log.timeMillis(snapshot)).isGreaterThan(last);
      last = log.timeMillis(snapshot);
    }
  }

  @Test
  void aClockThatRanAheadIsMadeUpFor() {
    List<Snapshot> commits =
        List.of(at(1, 5_000), at(2, 9_000), at(3, 6_000), at(4, 6_500), at(5, 12_000));
    CommitTimes times =
        new CommitTimes(id -> id > 5 ? Optional.empty() : Optional.of(commits.get((int) id - 1)));

    assertThat(times.of(commits.get(4))).isEqualTo(12_000);
    assertThat(times.of(commits.get(2))).isEqualTo(9_001);
    assertThat(times.of(commits.get(3))).isEqualTo(9_002);
    assertThat(times.of(commits.get(3))).isEqualTo(9_002);
  }

  private Snapshot at(long id, long timeMillis) {
    if (storage == null) {
      log("cl_input");
    }
    Snapshot any = storage.snapshots().load(1);
    return new Snapshot(
        any.version(),
        id,
        any.schemaId(),
        any.baseManifestList(),
        null,
        any.deltaManifestList(),
        null,
        null,
        null,
        null,
        any.commitUser(),
        any.commitIdentifier(),
        CommitKind.APPEND,
        timeMillis,
        0,
        0,
        null,
        null,
        null,
        any.properties(),
        null,
        any.unknown());
  }

  @Test
  void aDifferenceWithoutItsOlderSideHasExpired() {
    ChangeLog log = log("expired");

    assertThatThrownBy(() -> log.of(2, ChangeRules.exact()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessage(
            "The changes of version 2 of table golden.expired have expired. The oldest version"
                + " available is 5, the newest 6. Start at 5 or later.");
    assertThat(log.earliestId()).hasValue(5);
  }
}
