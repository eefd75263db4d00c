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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.stats.ColumnStats;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;

/**
 * Expiry of many snapshots, and the search for orphans among many files, with the heap that the
 * driver needs. The tables are made of commits as writers make them, over data files of one byte,
 * since nobody reads rows here. Each call runs once, in a process of its own with a small heap.
 */
final class ExpireBenchmark {
  static final String PREPARE = "expire-prepare";
  static final String RUN = "expire-run";

  /** Files that each commit adds, and takes away from the one before. */
  private static final int FILES_PER_COMMIT = 20;

  private static final String DEFAULT_HEAP = "600m";
  private static final String EXPIRED = "history";
  private static final String SEARCHED = "searched";

  private static final Clock CLOCK = Clock.systemUTC();

  private ExpireBenchmark() {}

  static void run(Settings settings) {
    String folder = settings.path("expire-" + settings.rows());
    long snapshots = Math.max(2, settings.rows() / 100);
    String heap = settings.heap() == null ? DEFAULT_HEAP : settings.heap();
    System.out.printf(
        Locale.ROOT,
        "%d snapshots of %d changed files each, and %d files of which a tenth is orphaned; 2 cores,"
            + " one process of -Xmx%s each%n",
        snapshots,
        2 * FILES_PER_COMMIT,
        settings.rows(),
        heap);
    ChildProcess.call(PREPARE, folder, Long.toString(settings.rows()), Long.toString(snapshots));
    List<String> flags = List.of("-Xmx" + heap);
    line(
        "expire_snapshots",
        ChildProcess.call(
            flags,
            RUN,
            folder,
            "CALL lake.sys.expire_snapshots(table => 'bench." + EXPIRED + "', retain_max => 1)"),
        "snapshots",
        snapshots - 1);
    String search = "CALL lake.sys.remove_orphan_files(table => 'bench." + SEARCHED + "'";
    line(
        "remove_orphan_files, dry run",
        ChildProcess.call(flags, RUN, folder, search + ", dry_run => true)"),
        "orphans",
        settings.rows() / 10);
    line(
        "remove_orphan_files",
        ChildProcess.call(flags, RUN, folder, search + ")"),
        "orphans",
        settings.rows() / 10);
  }

  private static void line(String title, String answer, String what, long expected) {
    String[] parts = answer.split(";", -1);
    if (Long.parseLong(parts[2]) != expected) {
      throw new IllegalStateException(
          title + " found " + parts[2] + " " + what + ", not " + expected);
    }
    System.out.printf(
        Locale.ROOT,
        "  %-30s %8.1f s %10s %s   driver holds at most %.0f MB more than before%n",
        title,
        Double.parseDouble(parts[0]),
        parts[2],
        what,
        Double.parseDouble(parts[1]));
  }

  /** Child: makes both tables anew. */
  static String prepare(List<String> arguments) {
    String folder = arguments.get(1);
    long files = Long.parseLong(arguments.get(2));
    int snapshots = Integer.parseInt(arguments.get(3));
    Folders.delete(Path.of(folder));
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      session.spark().sql("CREATE NAMESPACE lake.bench");
      for (String table : List.of(EXPIRED, SEARCHED)) {
        session
            .spark()
            .sql(
                "CREATE TABLE lake.bench."
                    + table
                    + " (v INT) TBLPROPERTIES ('write-only' = 'true')");
      }
    }
    Path tables = Path.of(folder, "lake", "bench.db");
    try {
      makeHistory(tables.resolve(EXPIRED), snapshots);
      makeFiles(tables.resolve(SEARCHED), files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "done";
  }

  private static void makeHistory(Path table, int snapshots) throws IOException {
    List<DataFile> before = List.of();
    for (int i = 0; i < snapshots; i++) {
      List<DataFile> added = new ArrayList<>();
      for (int file = 0; file < FILES_PER_COMMIT; file++) {
        added.add(file(table, "data-" + i + "-" + file + ".parquet"));
      }
      commit(table, added, before);
      before = added;
    }
  }

  private static void makeFiles(Path table, long files) throws IOException {
    List<DataFile> added = new ArrayList<>();
    for (long i = 0; i < files; i++) {
      DataFile file = file(table, "data-" + i + ".parquet");
      if (i % 10 != 0) {
        added.add(file);
      }
      if (added.size() == 10_000) {
        commit(table, added, List.of());
        added.clear();
      }
    }
    if (!added.isEmpty()) {
      commit(table, added, List.of());
    }
  }

  /** A file of three days ago. */
  private static DataFile file(Path table, String name) throws IOException {
    Path bucket = table.resolve("bucket-0");
    Files.createDirectories(bucket);
    Path path = Files.write(bucket.resolve(name), new byte[1]);
    Files.setLastModifiedTime(path, FileTime.from(CLOCK.instant().minus(Duration.ofDays(3))));
    return new DataFile(
        name,
        1,
        1,
        BinaryRow.EMPTY,
        BinaryRow.EMPTY,
        ColumnStats.EMPTY,
        ColumnStats.EMPTY,
        0,
        0,
        0,
        0,
        List.of(),
        0L,
        0L,
        null,
        FileSource.APPEND,
        List.of(),
        null,
        null,
        null);
  }

  private static void commit(Path table, List<DataFile> added, List<DataFile> removed) {
    LakeTable loaded =
        LakeTable.load(
            table.getFileName().toString(),
            HadoopFileIO.of(new Configuration(false)),
            new Location("file:" + table.toAbsolutePath()));
    TableCommitter committer = loaded.committer(CommitEnvironment.system());
    FileChanges changes = new FileChanges(added, removed, List.of(), List.of(), List.of());
    BucketChange change = new BucketChange(BinaryRow.EMPTY, 0, -1, changes, FileChanges.NONE);
    committer.commit(
        CommitRequest.batch(added.get(0).name() + table.getFileName(), List.of(change)));
  }

  /** Child: runs one call. */
  static String measure(List<String> arguments) {
    String folder = arguments.get(1);
    String call = arguments.get(2);
    try (BenchmarkSession session = new BenchmarkSession(folder + "/lake", 2)) {
      session.spark().sql("CALL lake.sys.help()").collectAsList();
      try (LiveHeap heap = new LiveHeap()) {
        long start = System.nanoTime();
        Row result = session.spark().sql(call).head();
        double seconds = (System.nanoTime() - start) / 1e9;
        return seconds + ";" + heap.grownBytes() / 1e6 + ";" + result.getLong(0);
      }
    }
  }
}
