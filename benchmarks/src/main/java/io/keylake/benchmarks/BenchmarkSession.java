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

package io.keylake.benchmarks;

import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/**
 * A local Spark with the catalog {@code lake}, and a clock of the CPU time of its tasks. For one
 * thread; the caller closes it.
 */
final class BenchmarkSession implements AutoCloseable {
  private static final int WARM_UP_RUNS = 3;

  private final SparkSession spark;
  private final AtomicLong taskCpuNanos = new AtomicLong();
  private final AtomicLong shuffledBytes = new AtomicLong();

  BenchmarkSession(String warehouse, int cores) {
    this(warehouse, cores, Map.of());
  }

  /** With further settings. */
  BenchmarkSession(String warehouse, int cores, Map<String, String> settings) {
    SparkSession.Builder builder = SparkSession.builder();
    settings.forEach(builder::config);
    spark =
        builder
            .master("local[" + cores + "]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.catalog.lake", "io.keylake.catalog.KeylakeCatalog")
            .config("spark.sql.catalog.lake.warehouse", warehouse)
            .config("spark.sql.parquet.compression.codec", "zstd")
            .config("spark.hadoop.parquet.compression.codec.zstd.level", "1")
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd taskEnd) {
                if (taskEnd.taskMetrics() != null) {
                  taskCpuNanos.addAndGet(taskEnd.taskMetrics().executorCpuTime());
                  shuffledBytes.addAndGet(
                      taskEnd.taskMetrics().shuffleWriteMetrics().bytesWritten());
                }
              }
            });
  }

  SparkSession spark() {
    return spark;
  }

  /** Runs {@code work} a few times to warm up, then {@code runs} times with both clocks. */
  Measurement measure(int runs, Runnable work) {
    for (int i = 1; i < WARM_UP_RUNS; i++) {
      work.run();
    }
    return measure(runs, () -> {}, work);
  }

  /**
   * Runs {@code work} once to warm up, then {@code runs} times with both clocks; each time after
   * {@code before}, which is not measured.
   */
  Measurement measure(int runs, Runnable before, Runnable work) {
    before.run();
    work.run();
    long[] cpu = new long[runs];
    long[] wall = new long[runs];
    for (int i = 0; i < runs; i++) {
      before.run();
      long cpuBefore = settledCpuNanos();
      long start = System.nanoTime();
      work.run();
      wall[i] = System.nanoTime() - start;
      cpu[i] = settledCpuNanos() - cpuBefore;
    }
    return Measurement.of(cpu, wall);
  }

  private long settledCpuNanos() {
    settle();
    return taskCpuNanos.get();
  }

  /** The bytes that all tasks so far wrote for shuffles. */
  long shuffledBytes() {
    settle();
    return shuffledBytes.get();
  }

  private void settle() {
    try {
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new IllegalStateException("The events of a run did not arrive", e);
    }
  }

  @Override
  public void close() {
    spark.stop();
  }
}
