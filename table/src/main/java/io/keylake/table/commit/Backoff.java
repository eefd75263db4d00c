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

import io.keylake.table.options.CommitOptions;
import java.time.Duration;

/**
 * The pauses between the tries of a commit. Pause k (from 0) is the smaller of min-wait times 2^k
 * and max-wait, plus up to 20 % at random. One instance serves one commit.
 *
 * <p>Rule source: table format, commit protocol (retries).
 */
final class Backoff {
  private final CommitOptions options;
  private final CommitEnvironment environment;
  private final long startMillis;
  private int retries;

  Backoff(CommitOptions options, CommitEnvironment environment) {
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
