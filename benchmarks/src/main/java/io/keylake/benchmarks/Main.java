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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Entry point of {@code ./keylake bench [NAME] [--rows N] [--runs N] [--heap SIZE] [--dir DIR]}:
 * runs one benchmark and prints its table. Each mode is measured in a Java process of its own,
 * since modes that share a process disturb each other's compiled code.
 */
public final class Main {
  private static final String USAGE =
      "usage: bench scan|write|compact|merge|join|expire|changes [--rows N] [--runs N] [--heap"
          + " SIZE] [--dir DIR]\n"
          + "  scan   scans of a primary-key table, raw and with five overlapping upserts, beside"
          + " plain Parquet\n"
          + "  write  an upsert of keyed rows into four buckets, beside a sorted Parquet write\n"
          + "  compact a full compaction of five overlapping runs in one bucket, beside rewriting"
          + " the same rows sorted as Parquet\n"
          + "  merge  MERGE, DELETE and UPDATE on a keyed table, beside the same on Delta tables\n"
          + "  join   a join and an aggregation on bucket keys, with the layout of buckets reported"
          + " and with a shuffle\n"
          + "  expire expiry of many snapshots and the search for orphans among many files, with"
          + " the heap that the driver needs\n"
          + "  changes change rows that are read, beside plain Parquet, and an upsert that writes a"
          + " changelog, beside the same without one; an idle trigger of a stream\n"
          + "  --rows rows of the data set (scan 4000000, write, merge and changes 2000000), of"
          + " each run (compact 2000000), of each table (join 2000000); files (expire 100000, and a"
          + " hundredth as many snapshots)\n"
          + "  --runs measured runs, after three that warm up (7); compact: after one (3); merge:"
          + " after two (5)\n"
          + "  --heap heap of each measured process (compact, merge, join, expire)\n"
          + "  --dir  keeps the data there and uses it again; a temporary folder otherwise";

  private Main() {}

  /** Exit code 0 when the benchmark ran, 2 when the arguments are wrong. */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(ChildProcess.MARK)) {
      ChildProcess.run(Arrays.asList(args).subList(1, args.length));
      return;
    }
    if (args.length == 0) {
      System.err.println(USAGE);
      System.exit(2);
    }
    List<String> options = Arrays.asList(args).subList(1, args.length);
    switch (args[0]) {
      case "scan" -> withFolder(Settings.parse(options, 4_000_000L, 7), ScanBenchmark::run);
      case "write" -> withFolder(Settings.parse(options, 2_000_000L, 7), WriteBenchmark::run);
      case "merge" -> withFolder(Settings.parse(options, 2_000_000L, 5), MergeBenchmark::run);
      case "changes" ->
          withFolder(
              Settings.parse(options, 2_000_000L, 5),
              settings -> {
                ChangesBenchmark.run(settings);
                ProducingBenchmark.run(settings);
                IdleTriggerBenchmark.run(settings);
              });
      case "expire" -> withFolder(Settings.parse(options, 100_000L, 1), ExpireBenchmark::run);
      case "join" -> withFolder(Settings.parse(options, 2_000_000L, 7), JoinBenchmark::run);
      case "compact" -> withFolder(Settings.parse(options, 2_000_000L, 3), CompactBenchmark::run);
      default -> {
        System.err.println("No benchmark is named " + args[0] + ".\n" + USAGE);
        System.exit(2);
      }
    }
  }

  private interface Benchmark {
    void run(Settings settings);
  }

  private static void withFolder(Settings settings, Benchmark benchmark) {
    if (settings.folder() != null) {
      benchmark.run(settings);
      return;
    }
    try {
      Path folder = Files.createTempDirectory("keylake-bench");
      try {
        benchmark.run(settings.in(folder.toString()));
      } finally {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
