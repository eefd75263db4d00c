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

package io.keylake.spark.maintenance;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Statistics;
import io.keylake.format.snapshot.Statistics.ColumnValues;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Computes statistics of a table's rows by one Spark job: their number and, of each chosen column,
 * the number of different values (approximately), of NULLs, the smallest and the largest value, and
 * the lengths. Text and binary columns have no smallest and largest value, nested columns have no
 * statistics, a TIMESTAMP with local time zone has neither, since its text depends on the zone.
 *
 * <p>Rule source: table format, statistics. Pinned by {@code AnalyzeProcedureSparkTest}.
 */
public final class RowAnalysis {
  private static final int PARTS = 6;

  private RowAnalysis() {}

  /** Whether a column of this type has statistics. */
  public static boolean isAnalyzed(DataType type) {
    return type instanceof NumericType
        || type instanceof StringType
        || type instanceof BinaryType
        || type instanceof BooleanType
        || type instanceof DateType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType;
  }

  /**
   * Reads the rows and computes.
   *
   * @param rows the rows of {@code snapshot}
   * @param columns which columns, each of a type that has statistics
   * @param bytes size of the rows' data files
   */
  public static Statistics of(
      Dataset<Row> rows,
      Snapshot snapshot,
      TableSchema schema,
      List<DataField> columns,
      long bytes) {
    List<String> expressions = new ArrayList<>(List.of("count(1)"));
    columns.forEach(column -> expressions.addAll(expressions(column)));
    Row result = rows.selectExpr(expressions.toArray(String[]::new)).collectAsList().get(0);
    long count = result.getLong(0);
    Map<String, ColumnValues> values = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      DataField column = columns.get(i);
      int at = 1 + i * PARTS;
      values.put(
          column.name(),
          new ColumnValues(
              column.id(),
              Math.min(result.getLong(at), count - result.getLong(at + 1)),
              result.getString(at + 2),
              result.getString(at + 3),
              result.getLong(at + 1),
              number(result, at + 4),
              number(result, at + 5)));
    }
    long physical = snapshot.totalRecordCount();
    long size = physical == 0 ? 0 : (long) (bytes * ((double) count / physical));
    return new Statistics(snapshot.id(), schema.id(), count, size, values);
  }

  private static @Nullable Long number(Row row, int position) {
    return row.isNullAt(position) ? null : row.getLong(position);
  }

  private static List<String> expressions(DataField column) {
    String name = "`" + column.name().replace("`", "``") + "`";
    DataType type = SparkTypes.toSpark(column.name(), column.type());
    boolean sized = type instanceof StringType || type instanceof BinaryType;
    boolean ranged = !sized && !(type instanceof TimestampType);
    return List.of(
        "approx_count_distinct(" + name + ")",
        "count_if(" + name + " IS NULL)",
        ranged ? text("min(" + name + ")", type) : "CAST(NULL AS STRING)",
        ranged ? text("max(" + name + ")", type) : "CAST(NULL AS STRING)",
        sized
            ? "CAST(ceil(avg(octet_length(" + name + "))) AS BIGINT)"
            : "CAST(" + type.defaultSize() + " AS BIGINT)",
        sized
            ? "CAST(max(octet_length(" + name + ")) AS BIGINT)"
            : "CAST(" + type.defaultSize() + " AS BIGINT)");
  }

  /** A date is the number of days since 1970-01-01. */
  private static String text(String value, DataType type) {
    if (type instanceof DateType) {
      return "CAST(unix_date(" + value + ") AS STRING)";
    }
    return type instanceof TimestampNTZType
        ? "date_format(" + value + ", 'yyyy-MM-dd HH:mm:ss.SSSSSS')"
        : "CAST(" + value + " AS STRING)";
  }
}
