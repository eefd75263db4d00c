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

package io.keylake.spark.write;

import io.keylake.format.datafile.DataFile;
import io.keylake.spark.write.change.StatementCounts;
import io.keylake.table.commit.CommitRequest;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.jspecify.annotations.Nullable;

/**
 * What a write shows in Spark's SQL tab. Each metric is a class of its own because Spark makes them
 * by name to add up what tasks report.
 */
public final class WriteMetrics {
  private WriteMetrics() {}

  /** Every metric of a write. */
  public static CustomMetric[] all() {
    return new CustomMetric[] {
      new Files(),
      new StoredRows(),
      new Bytes(),
      new Spilled(),
      new Buckets(),
      new CompactedFiles(),
      new CompactedBytes(),
      new RemovedFiles(),
      new CopiedRows()
    };
  }

  /**
   * What a task reports. {@code bytesWritten} and {@code recordsWritten} are names that Spark knows
   * and adds to the task's output.
   */
  static CustomTaskMetric[] ofTask(Task task) {
    long bytes = bytes(task.files());
    long rows = task.files().stream().mapToLong(DataFile::rowCount).sum();
    return new CustomTaskMetric[] {
      new Value("bytesWritten", bytes),
      new Value("recordsWritten", task.receivedRows()),
      new Value(Files.NAME, task.files().size()),
      new Value(StoredRows.NAME, rows),
      new Value(Bytes.NAME, bytes),
      new Value(Spilled.NAME, task.spilledBytes()),
      new Value(Buckets.NAME, task.buckets()),
      new Value(CompactedFiles.NAME, task.compacted().size()),
      new Value(CompactedBytes.NAME, bytes(task.compacted()))
    };
  }

  /** What the driver reports: what the commit made known, as properties of its snapshot. */
  public static CustomTaskMetric[] ofCommit(Map<String, String> counts) {
    return new CustomTaskMetric[] {
      value(RemovedFiles.NAME, counts.get(CommitRequest.FILES_REMOVED)),
      value(CopiedRows.NAME, counts.get(StatementCounts.ROWS_COPIED))
    };
  }

  private static Value value(String name, @Nullable String count) {
    return new Value(name, count == null ? 0 : Long.parseLong(count));
  }

  private static long bytes(List<DataFile> files) {
    return files.stream().mapToLong(DataFile::size).sum();
  }

  /**
   * What a task did so far.
   *
   * @param files files of the rows it was given
   * @param compacted files that compactions left in place of others
   * @param receivedRows rows it was given
   * @param spilledBytes bytes put on local disks while sorting
   * @param buckets buckets written
   */
  record Task(
      List<DataFile> files,
      List<DataFile> compacted,
      long receivedRows,
      long spilledBytes,
      int buckets) {}

  /** A value of one metric. */
  record Value(String name, long value) implements CustomTaskMetric {}

  /** Data files. */
  public static final class Files extends CustomSumMetric {
    static final String NAME = "keylakeFilesWritten";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files written";
    }
  }

  /** Rows in data files. */
  public static final class StoredRows extends CustomSumMetric {
    static final String NAME = "keylakeRowsStored";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows stored after folding equal keys";
    }
  }

  /** Bytes of data files. */
  public static final class Bytes extends CustomSumMetric {
    static final String NAME = "keylakeBytesStored";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes of data files";
    }
  }

  /** Bytes that sorting put on local disks. */
  public static final class Spilled extends CustomSumMetric {
    static final String NAME = "keylakeBytesSpilled";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes spilled while sorting";
    }
  }

  /** Buckets that got files, once per task. */
  public static final class Buckets extends CustomSumMetric {
    static final String NAME = "keylakeBucketsWritten";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "buckets written";
    }
  }

  /** Data files that compactions made or moved. */
  public static final class CompactedFiles extends CustomSumMetric {
    static final String NAME = "keylakeFilesCompacted";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files after compaction";
    }
  }

  /** Bytes of data files that compactions made or moved. */
  public static final class CompactedBytes extends CustomSumMetric {
    static final String NAME = "keylakeBytesCompacted";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "bytes of data files after compaction";
    }
  }

  /** Data files that are no longer part of the table. */
  public static final class RemovedFiles extends CustomSumMetric {
    static final String NAME = "keylakeFilesRemoved";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "data files removed";
    }
  }

  /** Rows that were written again as they were. */
  public static final class CopiedRows extends CustomSumMetric {
    static final String NAME = "keylakeRowsCopied";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String description() {
      return "rows copied into rewritten files";
    }
  }
}
