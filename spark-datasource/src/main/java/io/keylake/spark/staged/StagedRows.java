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

package io.keylake.spark.staged;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.file.VectorMemory;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.split.StagedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads staged rows in the order of writing. For one thread.
 *
 * <ol>
 *   <li>Rows of kinds that the table drops are left out: -U and -D with {@code ignore-delete} and
 *       of first-row tables, -U with {@code ignore-update-before}.
 *   <li>Values of partition columns are those of the partition.
 * </ol>
 */
final class StagedRows {
  private static final int BATCH_ROWS = 1024;

  /** Takes a row, which is valid during the call. */
  @FunctionalInterface
  interface Taker {
    void take(UnsafeRow row, byte kind) throws IOException;
  }

  private final StagedSpec spec;
  private final StagedRowFiles rows;
  private final DataFiles files;
  private final StructType type;
  private final RowType wanted;
  private final List<@Nullable ColumnVector> partitionValues = new ArrayList<>();
  private final UnsafeProjection projection;
  private final boolean[] isDropped = new boolean[ChangeKind.values().length];

  StagedRows(StagedSpec spec, StagedRowFiles rows, Configuration conf) {
    this.spec = spec;
    this.rows = rows;
    this.files =
        new DataFiles(
            conf, new VectorAllocation(BATCH_ROWS, VectorMemory.ON_HEAP), spec.addedDefaults());
    this.type = SparkTypes.toSpark(spec.schema().rowType());
    this.projection = UnsafeProjection.create(type);
    List<DataField> columns = new ArrayList<>(spec.schema().fields());
    columns.add(SystemColumns.VALUE_KIND);
    this.wanted = RowType.of(columns);
    RowType partitionType = spec.schema().partitionType();
    InternalRow values = new PartitionRows(partitionType).rowToSpark(rows.partition());
    for (DataField field : spec.schema().fields()) {
      int place = partitionType.indexOfId(field.id());
      DataType spark = SparkTypes.toSpark(field.name(), field.type());
      partitionValues.add(
          place < 0
              ? null
              : DataFileReader.constant(
                  BATCH_ROWS, spark, values.isNullAt(place) ? null : values.get(place, spark)));
    }
    MergeOptions merge = spec.merge();
    boolean dropsRetracts = merge.ignoreDelete() || merge.engine() == MergeOptions.Engine.FIRST_ROW;
    for (ChangeKind kind : ChangeKind.values()) {
      isDropped[kind.code()] =
          kind.isRetract() && dropsRetracts
              || kind == ChangeKind.UPDATE_BEFORE && merge.ignoreUpdateBefore();
    }
  }

  /** Gives all rows to {@code taker}. */
  void forEach(Taker taker) throws IOException {
    for (StagedFile file : rows.files()) {
      TableSchema fileSchema = spec.fileSchemas().get(file.file().schemaId());
      if (fileSchema == null) {
        throw new IllegalStateException("No schema of staged file " + file.path());
      }
      try (DataFileReader reader =
          files.open(FileScan.whole(file.path(), file.file(), fileSchema, wanted))) {
        while (reader.next()) {
          read(reader, taker);
        }
      }
    }
  }

  private void read(DataFileReader reader, Taker taker) throws IOException {
    int columns = type.size();
    ColumnVector[] vectors = new ColumnVector[columns];
    for (int i = 0; i < columns; i++) {
      ColumnVector constant = partitionValues.get(i);
      vectors[i] = constant == null ? reader.column(i) : constant;
    }
    ColumnVector kinds = reader.column(columns);
    ColumnarBatch batch = new ColumnarBatch(vectors, reader.rows());
    for (int row = 0; row < reader.rows(); row++) {
      byte kind = kinds.getByte(row);
      if (!isDropped[kind]) {
        taker.take(projection.apply(batch.getRow(row)), kind);
      }
    }
  }
}
