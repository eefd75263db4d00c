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

package io.keylake.spark.write.cross;

import io.keylake.format.errors.TableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the steps of one load in threads of their own, which have ended when it returns. */
final class LoadThreads {
  private static final long CHECK_MILLIS = 500;

  private final int threads;

  /** At most so many threads, and no more than there are cores. */
  LoadThreads(int threads) {
    this.threads = Math.min(threads, Runtime.getRuntime().availableProcessors());
  }

  /**
   * The results of all jobs, in order. After a failure the others are stopped.
   *
   * @param stopCheck throws when the results are not wanted any more
   */
  List<Long> run(List<Callable<Long>> jobs, Runnable stopCheck) throws IOException {
    ExecutorService executor =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(threads, jobs.size())),
            run -> {
              Thread thread = new Thread(run, "keylake-keys");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<Long>> futures = jobs.stream().map(executor::submit).toList();
      List<Long> results = new ArrayList<>();
      for (Future<Long> future : futures) {
        results.add(await(future, stopCheck));
      }
      return results;
    } finally {
      executor.shutdownNow();
      awaitEnd(executor);
    }
  }

  private static long await(Future<Long> future, Runnable stopCheck) throws IOException {
    while (true) {
      try {
        return future.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        stopCheck.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException stopped = new InterruptedIOException("Reading keys was stopped");
        stopped.initCause(e);
        throw stopped;
      } catch (ExecutionException e) {
        throw failure(e);
      }
    }
  }

  private static IOException failure(ExecutionException e) {
    if (e.getCause() instanceof TableException known) {
      throw known;
    }
    return new IOException("Cannot read the keys of the table: " + e.getMessage(), e.getCause());
  }

  /** The threads use what is closed next, so they must have ended even when this one is stopped. */
  private static void awaitEnd(ExecutorService executor) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = executor.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
