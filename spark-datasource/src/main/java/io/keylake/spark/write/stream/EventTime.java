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

package io.keylake.spark.write.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * The column of a query that the watermark of snapshots is taken from: the largest time less a
 * delay. Travels to executors.
 *
 * @param column its position in the query's rows
 * @param unitsPerMilli how many of its units are a millisecond
 * @param delay how much later rows may come
 */
record EventTime(int column, long unitsPerMilli, Duration delay) implements Serializable {
  /** No row has a time. */
  static final long NONE = Long.MIN_VALUE;

  private static final long serialVersionUID = 1L;
  private static final long MICROS_PER_MILLI = 1000;

  /**
   * The column that the options name; empty when they name none.
   *
   * @throws InvalidRequestException KEYLAKE_COLUMN_NOT_FOUND or KEYLAKE_INVALID_OPTION
   */
  static Optional<EventTime> of(QueryColumns query, TableOptions options, String table) {
    Optional<String> name = CommitKeys.WATERMARK_COLUMN.find(options.asMap());
    return name.map(
        found -> {
          StructField field =
              query.find(found).orElseThrow(() -> missing(found, query.names(), table));
          return new EventTime(
              query.position(field),
              unitsPerMilli(field, table),
              CommitKeys.WATERMARK_DELAY.read(options.asMap()));
        });
  }

  private static long unitsPerMilli(StructField field, String table) {
    DataType type = field.dataType();
    if (type.equals(DataTypes.TimestampType) || type.equals(DataTypes.TimestampNTZType)) {
      return MICROS_PER_MILLI;
    }
    if (type.equals(DataTypes.LongType)) {
      return 1;
    }
    throw new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "Option '"
            + CommitKeys.WATERMARK_COLUMN.name()
            + "' of a streaming write to "
            + table
            + " names the column '"
            + field.name()
            + "' of type "
            + type.sql()
            + ". Name a column of type TIMESTAMP, TIMESTAMP_NTZ (in UTC) or BIGINT"
            + " (milliseconds).");
  }

  private static InvalidRequestException missing(String name, String columns, String table) {
    return new InvalidRequestException(
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "Option '"
            + CommitKeys.WATERMARK_COLUMN.name()
            + "' of a streaming write to "
            + table
            + " names the column '"
            + name
            + "', which the query does not have. Columns: "
            + columns
            + ".");
  }

  /** The later of a time and that of a row, both in units of the column. */
  long later(long time, InternalRow row) {
    return row.isNullAt(column) ? time : Math.max(time, row.getLong(column));
  }

  /** The watermark after the latest of all rows; empty when no row has a time. */
  Optional<Long> watermark(long latest) {
    return latest == NONE
        ? Optional.empty()
        : Optional.of(Math.floorDiv(latest, unitsPerMilli) - delay.toMillis());
  }
}
