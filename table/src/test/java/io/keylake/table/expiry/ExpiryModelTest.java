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

import io.keylake.format.snapshot.TableStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories with expiry, beside a plain model of what each version reads. */
final class ExpiryModelTest {
  private static final int STEPS = 45;
  private static final int HISTORIES = Integer.getInteger("keylake.expiry.histories", 5);

  private static final Map<String, String> DECOUPLED =
      Map.of("changelog.num-retained.max", "2147483647", "snapshot.num-retained.max", "5");

  private static Map<String, String> options(String kind) {
    return switch (kind) {
      case "plain" -> Map.of();
      case "changelog" -> Map.of("changelog-producer", "input");
      case "decoupled" ->
          Map.of(
              "changelog-producer",
              "input",
              "changelog.num-retained.max",
              "100",
              "snapshot.num-retained.max",
              "5");
      default -> DECOUPLED;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "changelog", "decoupled", "decoupledWithoutProducer"})
  void everyListedVersionIsComplete(String kind) {
    int exact = 0;
    for (long seed = 0; seed < HISTORIES; seed++) {
      HistoryFixture table = HistoryFixture.create(options(kind));
      RandomTableHistory history = new RandomTableHistory(table, seed);
      for (int step = 0; step < STEPS; step++) {
        if (history.step()) {
          assertThat(new Reachability(table).broken()).as("seed %s step %s", seed, step).isEmpty();
          if (!history.leftOrphans() && !kind.equals("decoupledWithoutProducer")) {
            exact++;
            assertThat(unneeded(table)).as("seed %s step %s", seed, step).isEmpty();
          }
        }
      }
      if (!history.leftOrphans()) {
        expireAllHistory(table);
        exact++;
        assertThat(unneeded(table)).as("seed %s", seed).isEmpty();
      }
    }
    assertThat(exact).isGreaterThan(0);
  }

  /** Leaves the newest snapshot of each branch. */
  private static void expireAllHistory(HistoryFixture table) {
    List<TableStorage> branches = new ArrayList<>(KeptVersions.branches(table.storage()));
    branches.add(table.storage());
    for (int round = 0; round < 2; round++) {
      for (TableStorage branch : branches) {
        Expired unused = new SnapshotExpiry(table.history(branch)).run(HistoryFixture.keep(1));
        unused = new ChangelogExpiry(table.history(branch)).runAll();
        assertThat(new Reachability(table).broken()).isEmpty();
      }
    }
  }

  /** Files that no version needs. */
  private static Set<String> unneeded(HistoryFixture table) {
    Set<String> files = new TreeSet<>(table.managedFiles());
    files.removeAll(new Reachability(table).all());
    return files;
  }

  @Test
  void expiryOfASingleLineLeavesExactlyWhatItsVersionsRead() {
    HistoryFixture table = HistoryFixture.create(Map.of());
    for (int i = 0; i < 130; i++) {
      table.append(table.storage(), "a");
    }
    Expired expired =
        new SnapshotExpiry(table.history(table.storage())).run(HistoryFixture.keep(3));
    assertThat(expired.versions()).isEqualTo(127);
    assertThat(table.storage().snapshots().ids()).containsExactly(128L, 129L, 130L);
    assertThat(unneeded(table)).isEmpty();
    assertThat(new Reachability(table).broken()).isEmpty();
  }
}
