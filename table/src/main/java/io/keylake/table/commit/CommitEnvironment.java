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
import io.keylake.table.options.CommitOptions;
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

  /** The pauses between the tries of one commit, which begins now. */
  Backoff backoff(CommitOptions options) {
    return new Backoff(options, this);
  }

  /**
   * The pauses between the tries of a commit. Pause k (from 0) is the smaller of min-wait times 2^k
   * and max-wait, plus up to 20 % at random. One instance serves one commit.
   *
   * <p>Rule source: table format, commit protocol (retries).
   */
  static final class Backoff {
    private final CommitOptions options;
    private final CommitEnvironment environment;
    private final long startMillis;
    private int retries;

    private Backoff(CommitOptions options, CommitEnvironment environment) {
      this.options = options;
      this.environment = environment;
      this.startMillis = environment.clock().millis();
    }

    /** Waits for the next try; false when there are to be no more. */
    boolean awaitNextTry() {
      Duration timeout = options.timeout();
      long elapsed = environment.clock().millis() - startMillis;
      if (retries >= options.maxRetries() || (timeout != null && elapsed > timeout.toMillis())) {
        return false;
      }
      environment.pause().await(pause(retries));
      retries++;
      return true;
    }

    /** How many retries there have been. */
    int retries() {
      return retries;
    }

    private Duration pause(int retry) {
      long min = options.minRetryWait().toMillis();
      long max = options.maxRetryWait().toMillis();
      long base = retry < 32 ? Math.min(min << retry, max) : max;
      return Duration.ofMillis(base + (long) (base * 0.2 * environment.random().nextDouble()));
    }
  }
}
