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

package io.keylake.format.manifest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads many small files at a time on a pool of daemon threads that the whole process shares.
 * Results arrive in the order of the inputs; only a bounded number is in flight, so what waits to
 * be consumed is bounded too. The calling thread helps, so a caller that runs on the pool itself
 * cannot block it.
 */
public final class ParallelReads {
  private static final int THREADS = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());

  /** How many inputs are in flight when the caller does not say. */
  public static final int DEFAULT_IN_FLIGHT = 2 * THREADS;

  private static final ExecutorService POOL = pool();

  private ParallelReads() {}

  private static ExecutorService pool() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "keylake-metadata-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The results of all inputs, in order. */
  public static <A, B> List<B> map(Collection<A> inputs, Function<A, B> read) {
    List<B> results = new ArrayList<>(inputs.size());
    forEach(inputs, read, results::add);
    return results;
  }

  /**
   * Reads all inputs and gives the results, in order, to {@code consumer} on the calling thread.
   * The first failure is thrown and what has not begun is given up.
   */
  public static <A, B> void forEach(
      Collection<A> inputs, Function<A, B> read, Consumer<B> consumer) {
    forEach(inputs, DEFAULT_IN_FLIGHT, read, consumer);
  }

  /** As above, with at most {@code inFlight} inputs at a time. */
  public static <A, B> void forEach(
      Collection<A> inputs, int inFlight, Function<A, B> read, Consumer<B> consumer) {
    if (inputs.size() == 1) {
      consumer.accept(read.apply(inputs.iterator().next()));
      return;
    }
    Deque<FutureTask<B>> pending = new ArrayDeque<>();
    Iterator<A> rest = inputs.iterator();
    try {
      while (rest.hasNext() || !pending.isEmpty()) {
        while (rest.hasNext() && pending.size() < Math.max(1, inFlight)) {
          A input = rest.next();
          FutureTask<B> task = new FutureTask<>(() -> read.apply(input));
          pending.add(task);
          POOL.execute(task);
        }
        FutureTask<B> next = pending.remove();
        next.run();
        consumer.accept(result(next));
      }
    } finally {
      pending.forEach(task -> task.cancel(false));
    }
  }

  private static <B> B result(Future<B> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("Interrupted while reading metadata files");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException failure) {
        throw failure;
      }
      if (cause instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(cause);
    }
  }
}
