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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.LakeTable;
import io.keylake.table.TestTables;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.maintenance.ManifestMerging.Outcome;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManifestMergingTest {
  @TempDir Path folder;

  private static ManifestMerging merging(LakeTable table) {
    return new ManifestMerging(
        new CommitTable(table.storage(), table.schema(), table.options()),
        CommitEnvironment.system(),
        "merger");
  }

  @Test
  void tableWithoutSnapshotsHasNothingToMerge() {
    LakeTable table = TestTables.create(folder, Map.of());
    assertThat(merging(table).isDue()).isFalse();
    assertThat(merging(table).run().snapshot()).isNull();
  }

  @Test
  void mergesAllAndNamesTheSameFiles() {
    LakeTable table = TestTables.create(folder, Map.of("snapshot.ignore-empty-commit", "true"));
    for (int i = 0; i < 4; i++) {
      TestTables.commit(table, "f" + i);
    }
    assertThat(merging(table).isDue()).isTrue();
    assertThat(merging(table).look().before().files()).isEqualTo(4);
    Outcome outcome = merging(table).run();
    Snapshot made = Objects.requireNonNull(outcome.snapshot());
    assertThat(outcome.before().files()).isEqualTo(4);
    assertThat(outcome.after().files()).isEqualTo(1);
    assertThat(outcome.after().bytes()).isLessThan(outcome.before().bytes());
    assertThat(made.id()).isEqualTo(5);
    assertThat(made.commitKind()).isEqualTo(CommitKind.COMPACT);
    assertThat(made.deltaRecordCount()).isZero();
    assertThat(table.storage().dataManifests(made).get(0).addedFiles()).isEqualTo(4);
    assertThat(merging(table).isDue()).isFalse();
  }
}
