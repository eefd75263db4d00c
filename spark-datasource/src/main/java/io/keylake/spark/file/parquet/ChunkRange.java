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

package io.keylake.spark.file.parquet;

import io.keylake.format.row.Bytes;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.spark.file.encode.ColumnRange;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/**
 * What the footer says of the values of one column chunk, as exactly as if they were encoded again.
 *
 * <ol>
 *   <li>Bounds of numbers, booleans, decimals and text are exact when they are there. Parquet
 *       leaves out those of texts that are together longer than 4,096 bytes, and the NULL count
 *       with them: then nothing is known.
 *   <li>A chunk of floating-point numbers with a NULL count and without bounds holds a NaN, which
 *       voids the bounds of the file.
 *   <li>Binary columns and timestamps of more than 6 fraction digits have a NULL count only; where
 *       the footer lacks it, the column index has it.
 * </ol>
 *
 * Rule source: table format, statistics in the file meta; pinned by {@code RowGroupCopyTest}.
 */
final class ChunkRange {
  private ChunkRange() {}

  /** The range of a flat column in one row group; empty when it is not known exactly. */
  static Optional<ColumnRange> of(
      DataType type, ColumnChunkMetaData chunk, ParquetFileReader reader) throws IOException {
    Statistics<?> statistics = chunk.getStatistics();
    boolean hasBounds = statistics != null && statistics.hasNonNullValue();
    Long nulls = nullCount(type, chunk, statistics, reader);
    if (nulls == null) {
      return Optional.empty();
    }
    if (nulls == chunk.getValueCount()) {
      return Optional.of(new ColumnRange(null, null, nulls));
    }
    return switch (type.root()) {
      case BINARY, VARBINARY -> Optional.of(new ColumnRange(null, null, nulls));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          ((AtomicType) type).precision() > 6
              ? Optional.of(new ColumnRange(null, null, nulls))
              : bounded(type, statistics, hasBounds, nulls);
      case FLOAT, DOUBLE ->
          hasBounds
              ? bounded(type, statistics, true, nulls)
              : Optional.of(new ColumnRange(null, null, nulls));
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DATE, TIME, DECIMAL, CHAR, VARCHAR ->
          bounded(type, statistics, hasBounds, nulls);
      case VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> Optional.empty();
    };
  }

  private static Optional<ColumnRange> bounded(
      DataType type, @Nullable Statistics<?> statistics, boolean hasBounds, long nulls) {
    if (statistics == null || !hasBounds) {
      return Optional.empty();
    }
    Object min = value((AtomicType) type, statistics.genericGetMin());
    Object max = value((AtomicType) type, statistics.genericGetMax());
    return min == null || max == null
        ? Optional.empty()
        : Optional.of(new ColumnRange(min, max, nulls));
  }

  private static @Nullable Long nullCount(
      DataType type,
      ColumnChunkMetaData chunk,
      @Nullable Statistics<?> statistics,
      ParquetFileReader reader)
      throws IOException {
    if (!type.nullable()) {
      return 0L;
    }
    if (statistics != null && statistics.isNumNullsSet()) {
      return statistics.getNumNulls();
    }
    ColumnIndex index = reader.readColumnIndex(chunk);
    return index == null || index.getNullCounts() == null
        ? null
        : Long.valueOf(index.getNullCounts().stream().mapToLong(Long::longValue).sum());
  }

  /**
   * A value that Parquet hands out, as the Java value of the type; null when it is none, such as
   * bytes that are no text.
   */
  static @Nullable Object value(AtomicType type, Object stored) {
    if (stored instanceof Boolean || stored instanceof Float || stored instanceof Double) {
      return stored;
    }
    if (stored instanceof Binary binary) {
      byte[] bytes = binary.getBytes();
      return switch (type.root()) {
        case DECIMAL -> new BigDecimal(new BigInteger(bytes), type.scale());
        case CHAR, VARCHAR -> text(bytes);
        case BINARY, VARBINARY -> Bytes.copyOf(bytes);
        default -> null;
      };
    }
    return NumberStorage.toValue(type, ((Number) stored).longValue());
  }

  private static @Nullable String text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes) ? text : null;
  }
}
