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

package io.keylake.spark.merge;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.table.split.Split;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a split or of one of its units that are the same in each of its rows: partition
 * values, which come from the manifest entry and never from the file, and where the rows are.
 */
final class RowLocation {
  private final RowType partitionType;
  private final BinaryRowCodec codec;

  RowLocation(RowType partitionType) {
    this.partitionType = partitionType;
    this.codec = BinaryRowCodec.of(partitionType);
  }

  /**
   * A constant column; null when the column is none.
   *
   * @param type its type as Spark knows it
   * @param path address of the file that rows come from
   * @param rows most rows of a batch
   */
  @Nullable ConstantColumnVector constant(
      ReadColumn column, DataType type, Split split, String path, int rows) {
    if (column instanceof TableColumn table) {
      int place = partitionType.indexOfId(table.field().id());
      return place < 0
          ? null
          : DataFileReader.constant(rows, type, value(split.partition(), place));
    }
    return switch ((MetadataColumn) column) {
      case FILE -> DataFileReader.constant(rows, type, UTF8String.fromString(path));
      case BUCKET -> DataFileReader.constant(rows, type, split.bucket());
      case PARTITION -> partition(split.partition(), (StructType) type, rows);
      case POSITION, ROW_ID, SEQUENCE_NUMBER -> null;
    };
  }

  private @Nullable Object value(BinaryRow partition, int place) {
    return PartitionRows.toSpark(codec.value(partition, place));
  }

  private ConstantColumnVector partition(BinaryRow partition, StructType type, int rows) {
    ConstantColumnVector struct = new ConstantColumnVector(rows, type);
    for (int i = 0; i < partitionType.size(); i++) {
      struct.setChild(
          i, DataFileReader.constant(rows, type.fields()[i].dataType(), value(partition, i)));
    }
    return struct;
  }
}
