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

package io.keylake.spark.conf;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.VectorMemory;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.TimeTravelOptions;
import io.keylake.table.options.support.ReadSupport;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The settings of one read of a table, checked. What would ask for other rows than a plain read of
 * one version gives, and is not supported, is refused by name.
 */
public final class ReadConf {
  /** {@code false}: a scan of a partitioned table needs a condition on a partition column. */
  public static final String ALLOW_FULL_SCAN = "read.allow.fullScan";

  private static final List<String> OTHER_ROWS =
      List.of(
          "incremental-between",
          "incremental-between-timestamp",
          "incremental-to-auto-tag",
          "scan.watermark",
          "scan.file-creation-time-millis",
          "scan.creation-time-millis",
          "scan.bucket");

  private final TableName table;
  private final TableOptions options;

  private ReadConf(TableName table, TableOptions options) {
    this.table = table;
    this.options = options;
  }

  /** The settings of a read of {@code table}, whose stored options the schema has. */
  public static ReadConf of(
      TableName table, TableSchema schema, CaseInsensitiveStringMap statement) {
    Map<String, String> overrides = SessionOptions.overrides(table, statement);
    return new ReadConf(table, TableOptions.of(schema, overrides));
  }

  /**
   * Checks that the scan can give the right rows.
   *
   * @throws io.keylake.format.errors.TableException naming the option that asks for more
   */
  public void check(TableSchema schema) {
    Map<String, String> values = options.asMap();
    for (String option : OTHER_ROWS) {
      if (values.containsKey(option)) {
        throw refused(option, values.get(option));
      }
    }
    ScanKeys.Mode mode = ScanKeys.MODE.read(values);
    switch (mode) {
      case COMPACTED_FULL, FROM_CREATION_TIMESTAMP, FROM_FILE_CREATION_TIME, INCREMENTAL ->
          throw refused(ScanKeys.MODE.name(), ScanKeys.MODE.text(values).orElse(mode.name()));
      case FROM_TIMESTAMP, FROM_SNAPSHOT, FROM_SNAPSHOT_FULL -> {
        if (timeTravel().isLatest()) {
          throw new InvalidRequestException(
              Condition.KEYLAKE_INVALID_OPTION,
              "The option '"
                  + ScanKeys.MODE.name()
                  + "' of the read of "
                  + table.text()
                  + " needs another one that says from where: "
                  + ScanKeys.SNAPSHOT_ID.name()
                  + ", "
                  + ScanKeys.TAG_NAME.name()
                  + " or "
                  + ScanKeys.TIMESTAMP_MILLIS.name()
                  + ".");
        }
      }
      case DEFAULT, LATEST_FULL, FULL, LATEST -> {}
    }
    ReadSupport.check(schema, table.text());
  }

  private UnsupportedTableException refused(String option, String value) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_OPTION,
        "The option '"
            + option
            + "' = '"
            + value
            + "' of the read of "
            + table.text()
            + " is not supported. Remove it, or choose a version with "
            + ScanKeys.SNAPSHOT_ID.name()
            + ", "
            + ScanKeys.TAG_NAME.name()
            + " or "
            + ScanKeys.TIMESTAMP_MILLIS.name()
            + ".");
  }

  /** The options that hold, the table's own included. */
  public TableOptions options() {
    return options;
  }

  /** Which rows are seen and how splits are cut. */
  public ScanOptions scan() {
    return options.scan();
  }

  /** Whether Spark is told how rows are spread. */
  public ScanKeys.ReportPartitioning reportPartitioning() {
    return ScanKeys.REPORT_PARTITIONING.read(options.asMap());
  }

  /** Which version is read. */
  public TimeTravelOptions timeTravel() {
    return options.timeTravel();
  }

  /** Whether a partitioned table may be read without a condition on a partition column. */
  public boolean allowsFullScan() {
    String value = options.asMap().getOrDefault(ALLOW_FULL_SCAN, "true");
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "Invalid value '" + value + "' of option '" + ALLOW_FULL_SCAN + "'. Say true or false.");
    }
    return value.equalsIgnoreCase("true");
  }

  /** Rows of a batch: at least 2, since the two rows of an update are in one batch. */
  public int batchRows() {
    return Math.max(2, SQLConf.get().parquetVectorizedReaderBatchSize());
  }

  /** Where vectors live. */
  public VectorMemory vectorMemory() {
    return SQLConf.get().offHeapColumnVectorEnabled()
        ? VectorMemory.OFF_HEAP
        : VectorMemory.ON_HEAP;
  }
}
