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

package io.keylake.table.commit;

import static io.keylake.table.commit.CommitFixture.STORAGE;
import static io.keylake.table.commit.CommitFixture.added;
import static io.keylake.table.commit.CommitFixture.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.bucket.BucketStates;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommitRaceTest {
  private static final int WRITERS = 2;
  private static final int COMMITS = 20;

  @TempDir Path folder;

  /** Commits the same keys again and again; both writers start each time from the same version. */
  private static Void write(
      CommitFixture table, String writer, CyclicBarrier start, AtomicInteger rebased)
      throws Exception {
    for (int i = 0; i < COMMITS; i++) {
      start.await();
      Snapshot base = table.storage().snapshots().latest().orElse(null);
      long first =
          new BucketStates(table.storage(), base)
              .firstSequenceNumber(CommitFixture.partition("a"), 0);
      start.await();
      String name = writer + "-" + i;
      SequenceRebase rebase =
          (change, number) -> {
            rebased.incrementAndGet();
            return added("a", file(name + "-from-" + number, 1, 3, number));
          };
      table
          .committer(STORAGE, rebase)
          .commit(
              CommitRequest.batch(name, List.of(added("a", file(name, 1, 3, first))))
                  .basedOn(base));
    }
    return null;
  }

  @Test
  void racingCommitsAreAllThereAndTheLaterOneWins() throws Exception {
    CommitFixture table = CommitFixture.keyed(folder, Map.of("commit.max-retries", "1000"));
    AtomicInteger rebased = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(WRITERS);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers =
          List.of(
              pool.submit(() -> write(table, "x", start, rebased)),
              pool.submit(() -> write(table, "y", start, rebased)));
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      pool.shutdownNow();
    }
    List<Snapshot> all = table.storage().snapshots().all();
    assertThat(all).hasSize(WRITERS * COMMITS);
    assertThat(all).extracting(Snapshot::commitUser).doesNotHaveDuplicates();
    assertThat(all).isSortedAccordingTo(Comparator.comparingLong(Snapshot::timeMillis));
    Set<String> before = new HashSet<>();
    long highest = -1;
    for (Snapshot snapshot : all) {
      for (ManifestEntry entry : table.live(snapshot)) {
        if (before.add(entry.file().name())) {
          assertThat(entry.file().minSequenceNumber()).isGreaterThan(highest);
          highest = entry.file().maxSequenceNumber();
        }
      }
    }
    assertThat(rebased.get()).as("one of the two comes later each time").isEqualTo(COMMITS);
    assertThat(before).hasSize(WRITERS * COMMITS);
  }
}
