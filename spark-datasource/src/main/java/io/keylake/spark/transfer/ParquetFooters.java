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

package io.keylake.spark.transfer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Reads the footers of Parquet files. Columns of whole numbers, dates and texts have ranges. */
final class ParquetFooters implements Footer.Reader {
  private final Configuration conf;

  ParquetFooters(Configuration configuration) {
    conf = new Configuration(configuration);
    conf.setBoolean("spark.sql.parquet.binaryAsString", false);
    conf.setBoolean("spark.sql.parquet.int96AsTimestamp", true);
    conf.setBoolean("spark.sql.caseSensitive", true);
    conf.setBoolean("spark.sql.parquet.inferTimestampNTZ.enabled", true);
    conf.setBoolean("spark.sql.legacy.parquet.nanosAsLong", false);
    conf.setBoolean("spark.sql.parquet.fieldId.read.enabled", false);
  }

  @Override
  public List<String> misfits(StructType columns) {
    return List.of();
  }

  @Override
  public Footer read(String file, long bytes) throws IOException {
    FileStatus status = new FileStatus(bytes, false, 0, 0, 0, new Path(file));
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromStatus(status, conf))) {
      ParquetMetadata footer = reader.getFooter();
      StructType columns =
          new ParquetToSparkSchemaConverter(conf).convert(footer.getFileMetaData().getSchema());
      return new Footer(reader.getRecordCount(), columns, ranges(footer, columns));
    }
  }

  private static Map<String, Footer.Range> ranges(ParquetMetadata footer, StructType columns) {
    Map<String, Footer.Range> ranges = new HashMap<>();
    for (StructField column : columns.fields()) {
      if (isRanged(column.dataType())) {
        Footer.Range range = range(footer, column);
        if (range != null) {
          ranges.put(column.name(), range);
        }
      }
    }
    return ranges;
  }

  private static boolean isRanged(DataType type) {
    return type instanceof StringType
        || List.of(
                DataTypes.ByteType,
                DataTypes.ShortType,
                DataTypes.IntegerType,
                DataTypes.LongType,
                DataTypes.DateType)
            .contains(type);
  }

  /** The range over all row groups; null when one of them does not tell. */
  private static Footer.@Nullable Range range(ParquetMetadata footer, StructField column) {
    Object min = null;
    Object max = null;
    long nulls = 0;
    for (BlockMetaData block : footer.getBlocks()) {
      Statistics<?> chunk = statistics(block, column.name());
      if (chunk == null || !chunk.isNumNullsSet()) {
        return null;
      }
      nulls += chunk.getNumNulls();
      if (chunk.hasNonNullValue()) {
        Object low = value(chunk.genericGetMin(), column.dataType());
        Object high = value(chunk.genericGetMax(), column.dataType());
        min = min == null || compare(low, min) < 0 ? low : min;
        max = max == null || compare(high, max) > 0 ? high : max;
      } else if (chunk.getNumNulls() < block.getRowCount()) {
        return null;
      }
    }
    return new Footer.Range(min, max, nulls);
  }

  private static @Nullable Statistics<?> statistics(BlockMetaData block, String column) {
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      String[] path = chunk.getPath().toArray();
      if (path.length == 1 && path[0].equals(column)) {
        return chunk.getStatistics();
      }
    }
    return null;
  }

  private static Object value(Object stored, DataType type) {
    if (stored instanceof Binary binary) {
      return UTF8String.fromBytes(binary.getBytes());
    } else if (type.equals(DataTypes.ByteType)) {
      return ((Number) stored).byteValue();
    } else if (type.equals(DataTypes.ShortType)) {
      return ((Number) stored).shortValue();
    }
    return stored;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compare(Object left, Object right) {
    return ((Comparable) left).compareTo(right);
  }
}
