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

import io.keylake.format.fileio.Ids;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * What a committer takes from outside the table. Safe for use by many threads.
 *
 * @param clock tells the time of commits
 * @param ids gives names to files
 * @param random spreads retries
 * @param pause waits between retries
 */
public record CommitEnvironment(Clock clock, Ids ids, RandomGenerator random, Pause pause) {
  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    /** Returns after {@code duration}. */
    void await(Duration duration);
  }

  /** The system's clock, random names, and real pauses. */
  public static CommitEnvironment system() {
    return new CommitEnvironment(
        Clock.systemUTC(),
        Ids.random(),
        RandomGenerator.getDefault(),
        CommitEnvironment::awaitInterruptibly);
  }

  private static void awaitInterruptibly(Duration duration) {
    try {
      boolean ended = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
      assert !ended : "nobody counts down";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("Interrupted while waiting to try a commit again");
    }
  }
}
