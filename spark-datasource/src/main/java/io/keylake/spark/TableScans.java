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

package io.keylake.spark;

import io.keylake.format.errors.TableException;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.read.KeylakeScanBuilder;
import io.keylake.spark.read.ReadTarget;
import io.keylake.spark.stream.StreamTarget;
import io.keylake.spark.stream.StreamView;
import io.keylake.spark.stream.TableStream;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.ScanKeys;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Scans of a table, which Spark makes the same way for a query in batch and for the source of a
 * stream: only later it says which of the two it wants.
 */
final class TableScans {
  /** Options with another meaning for streams: where they start. */
  private static final List<OptionKey<?>> STARTS =
      List.of(
          ScanKeys.MODE,
          ScanKeys.SNAPSHOT_ID,
          ScanKeys.TAG_NAME,
          ScanKeys.VERSION,
          ScanKeys.TIMESTAMP_MILLIS,
          ScanKeys.TIMESTAMP,
          ScanKeys.FILE_CREATION_TIME);

  private TableScans() {}

  /** A builder of a scan for either purpose; a failure that is one of batches only waits. */
  static ScanBuilder builder(KeylakeTable table, CaseInsensitiveStringMap options) {
    if (table.pinned().choice() == TableVersion.Choice.NAMED) {
      return new KeylakeScanBuilder(table.target(options, ReadTarget.View.MERGED));
    }
    KeylakeScanBuilder.Streams streams = streams(table, options, StreamView.rows());
    try {
      return new KeylakeScanBuilder(table.target(options, ReadTarget.View.MERGED))
          .streaming(streams);
    } catch (TableException e) {
      Map<String, String> all = SessionOptions.overrides(table.pinned().name(), options);
      if (STARTS.stream().noneMatch(key -> key.isSet(all))) {
        throw e;
      }
      return new StreamOnly(columns(table), e, streams);
    }
  }

  private static StructType columns(Table table) {
    return CharVarcharUtils.replaceCharVarcharWithStringInSchema(
        CatalogV2Util.v2ColumnsToStructType(table.columns()));
  }

  /** Streams of a table. */
  static KeylakeScanBuilder.Streams streams(
      KeylakeTable table, CaseInsensitiveStringMap options, StreamView view) {
    return (columns, checkpoint) ->
        SparkErrors.translating(
            () -> {
              Map<String, String> all = table.effectiveOptions(options);
              TableVersion seen = new OptionVersions(table.pinned()).onBranch(all);
              return new TableStream(
                  StreamTarget.of(seen.name(), seen.storage(), seen.schema(), options, view),
                  columns,
                  checkpoint,
                  Clock.systemUTC());
            });
  }

  /** What a read with these options sees of a table: its rows, or its changes. */
  static Table seen(KeylakeTable table, CaseInsensitiveStringMap options) {
    if (TableChanges.isChangeFeed(options)) {
      return table.changeFeed();
    }
    return KeylakeTable.asksForChangelog(options)
        ? table.metadataTable(KeylakeTable.AUDIT_LOG).orElseThrow()
        : table;
  }

  /** A scan whose options make sense to a stream only. */
  private static final class StreamOnly implements SupportsPushDownRequiredColumns, Scan {
    private final TableException failure;
    private final KeylakeScanBuilder.Streams streams;
    private StructType columns;

    StreamOnly(StructType columns, TableException failure, KeylakeScanBuilder.Streams streams) {
      this.columns = columns;
      this.failure = failure;
      this.streams = streams;
    }

    @Override
    public void pruneColumns(StructType required) {
      columns = required;
    }

    @Override
    public Scan build() {
      return this;
    }

    @Override
    public StructType readSchema() {
      return columns;
    }

    @Override
    public Batch toBatch() {
      throw SparkErrors.toSpark(failure);
    }

    @Override
    public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
      return streams.open(columns, checkpointLocation);
    }
  }
}
