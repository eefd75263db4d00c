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

package io.keylake.catalog.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.HookedFileSystem;
import io.keylake.catalog.stream.KilledPipeline.Sum;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.Random;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streaming writes that are killed again and again end with the rows of an undisturbed run. */
final class StreamKillSparkTest {
  /** About as many files are made or deleted by an epoch with its compaction and expiry. */
  private static final int OPERATIONS = 24;

  @TempDir private Path folder;

  @AfterEach
  void unhook() {
    HookedFileSystem.unhook();
  }

  @Test
  void sumsOfTheTableSurviveKills() throws Exception {
    stopOften(Sum.BY_TABLE, 16, 71);
  }

  @Test
  void sumsOfTheQuerySurviveKills() throws Exception {
    stopOften(Sum.BY_QUERY, 6, 72);
  }

  @Test
  void killedProcessesLeaveNothingTwice() throws Exception {
    killOften(2, 73);
  }

  @Test
  @Tag("soak")
  void hundredsOfKillsAreSurvived() throws Exception {
    stopOften(Sum.BY_TABLE, 480, 74);
  }

  @Test
  @Tag("soak")
  void manyKilledProcessesLeaveNothingTwice() throws Exception {
    killOften(20, 75);
  }

  private void stopOften(Sum sum, int kills, long seed) throws Exception {
    Random random = new Random(seed);
    KilledPipeline pipeline = new KilledPipeline(folder, sum);
    pipeline.create();
    int struck = 0;
    boolean isDone = true;
    for (int run = 0; struck < kills; run++) {
      if (isDone) {
        pipeline.put(seed * 1000 + run);
      }
      KillSwitch kill = new KillSwitch(1 + random.nextInt(OPERATIONS));
      HookedFileSystem.hook(kill);
      try {
        pipeline.run();
        isDone = true;
      } catch (StreamingQueryException e) {
        assertThat(e).hasStackTraceContaining("killed before");
        isDone = false;
      }
      HookedFileSystem.unhook();
      struck += kill.hasStruck() ? 1 : 0;
    }
    finish(pipeline, "seed " + seed);
  }

  private void killOften(int kills, long seed) throws Exception {
    Random random = new Random(seed);
    KilledPipeline pipeline = new KilledPipeline(folder, Sum.BY_TABLE);
    pipeline.create();
    for (int kill = 0; kill < kills; kill++) {
      for (int file = 0; file < 4; file++) {
        pipeline.put(seed * 1000 + kill * 10L + file);
      }
      KilledProcess.runAndKill(folder, Sum.BY_TABLE, 1 + random.nextInt(2 * OPERATIONS));
    }
    finish(pipeline, "seed " + seed);
  }

  private void finish(KilledPipeline pipeline, String seed) throws Exception {
    pipeline.run();
    assertThat(pipeline.rows()).as(seed).isEqualTo(pipeline.expected());
    SoundTable.check(folder.resolve("w/db.db/t"));
    assertThat(ReferenceTable.of(folder.resolve("w").toString(), "db", "t").problems()).isEmpty();
    assertThat(pipeline.rows()).isNotEmpty();
  }

  @Test
  void killIsAKill() {
    KillSwitch kill = new KillSwitch(2);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/f");
    kill.beforeCreate(file);
    assertThat(kill.hasStruck()).isFalse();
    assertThatThrownBy(() -> kill.beforeDelete(file)).isInstanceOf(KillSwitch.Killed.class);
    assertThatThrownBy(() -> kill.beforeCreate(file)).hasMessage("killed before f");
  }
}
