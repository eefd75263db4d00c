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

package io.keylake.spark.merge.runs;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.split.StoredVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** What all runs of one merge share. For one thread. */
public final class MergeTask {
  private static final int MIN_BATCH_ROWS = 128;

  /** About what the vectors of all open files may take. */
  private static final long VECTOR_BYTES = 64L << 20;

  private static final int BYTES_PER_VALUE = 12;

  private final MergeSettings settings;
  private final RowScan scan;
  private final List<DataField> fields;
  private final RowType keyType;
  private final SequenceOrder order;
  private final StructType rows;
  private final List<@Nullable ColumnVector> partitionValues = new ArrayList<>();
  private final DataFiles files;
  private final HadoopFileIO io;
  private final Map<String, byte[]> indexFiles = new HashMap<>();
  private final StopCheck stop;
  private final int batchRows;
  private final ColumnVector noNumbers;
  private final ColumnVector added;

  /**
   * A task whose rows have all columns of the table, to be written again.
   *
   * @param openFiles how many files will be open at a time
   */
  public MergeTask(MergeSettings settings, HadoopFileIO io, int openFiles, StopCheck stop) {
    this(settings, RowScan.toStore(settings.schema()), io, openFiles, stop);
  }

  /**
   * A task.
   *
   * @param scan how the rows are read
   * @param openFiles how many files will be open at a time
   */
  public MergeTask(
      MergeSettings settings, RowScan scan, HadoopFileIO io, int openFiles, StopCheck stop) {
    this.settings = settings;
    this.scan = scan;
    this.io = io;
    this.stop = stop;
    this.keyType = settings.schema().keyType();
    this.order = new SequenceOrder(settings.schema(), settings.merge());
    this.fields = scan.columns().stream().map(settings.schema().fields()::get).toList();
    this.rows = SparkTypes.toSpark(RowType.of(fields));
    long share = VECTOR_BYTES / BYTES_PER_VALUE / (rows.size() + 2L) / Math.max(1, openFiles);
    int batchRows = (int) Math.min(scan.batchRows(), Math.max(MIN_BATCH_ROWS, share));
    this.files =
        new DataFiles(
            io.configuration(),
            new VectorAllocation(batchRows, scan.memory()),
            settings.addedDefaults());
    RowType partitionType = settings.schema().partitionType();
    InternalRow values = new PartitionRows(partitionType).rowToSpark(settings.partition());
    for (int i = 0; i < rows.size(); i++) {
      int place = partitionType.indexOfId(fields.get(i).id());
      DataType type = rows.fields()[i].dataType();
      partitionValues.add(
          place < 0
              ? null
              : DataFileReader.constant(
                  batchRows, type, values.isNullAt(place) ? null : values.get(place, type)));
    }
    this.batchRows = batchRows;
    this.noNumbers = DataFileReader.constant(batchRows, DataTypes.LongType, 0L);
    this.added = DataFileReader.constant(batchRows, DataTypes.ByteType, ChangeKind.INSERT.code());
  }

  MergeSettings settings() {
    return settings;
  }

  /** The rows that are merged, as Spark knows them. */
  public StructType rows() {
    return rows;
  }

  /** The columns of the rows. */
  List<DataField> fields() {
    return fields;
  }

  RowScan scan() {
    return scan;
  }

  /** Most rows of a batch. */
  public int batchRows() {
    return batchRows;
  }

  /** Stands for sequence numbers that need not be known. */
  ColumnVector noNumbers() {
    return noNumbers;
  }

  /** Stands for kinds that are known to be +I or +U. */
  ColumnVector added() {
    return added;
  }

  RowType keyType() {
    return keyType;
  }

  /** Which of two versions of a key is newer. */
  public SequenceOrder order() {
    return order;
  }

  /** The constant vector of a column of the rows that is a partition column; else null. */
  @Nullable ColumnVector partitionValue(int column) {
    return partitionValues.get(column);
  }

  DataFiles files() {
    return files;
  }

  StopCheck stop() {
    return stop;
  }

  /** The schema that a file was written with. */
  TableSchema schemaOf(DataFile file) {
    TableSchema schema = settings.fileSchemas().get(file.schemaId());
    if (schema == null) {
      throw new IllegalStateException(
          "No schema " + file.schemaId() + " for file " + file.name() + " in the merge");
    }
    return schema;
  }

  /** The deletion vector; null when {@code stored} is null or deletes nothing. */
  @Nullable DeletionVector load(@Nullable StoredVector stored) {
    if (stored == null) {
      return null;
    }
    byte[] file = indexFiles.computeIfAbsent(stored.path(), path -> io.read(new Location(path)));
    DeletionVector vector = DeletionVectorFile.decode(file, stored.ref(), stored.path());
    return vector.isEmpty() ? null : vector;
  }
}
