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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.DataFiles;
import io.keylake.spark.file.VectorAllocation;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.split.StoredVector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** What all units that one task reads share. For one thread. */
final class ReadTask {
  private static final int INDEX_FILES_KEPT = 4;
  private static final int SPARK_TIMESTAMP_DIGITS = 6;

  private final ReadSpec spec;
  private final ReadMetrics metrics;
  private final MergeOptions merge;
  private final RowType keyType;
  private final SequenceOrder order;
  private final VectorAllocation vectors;
  private final DataFiles files;
  private final HadoopFileIO storage;
  private final Map<String, byte[]> indexFiles =
      new LinkedHashMap<>(8, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
          return size() > INDEX_FILES_KEPT;
        }
      };

  ReadTask(ReadSpec spec, Configuration conf, ReadMetrics metrics) {
    this.spec = spec;
    this.metrics = metrics;
    this.merge = TableOptions.of(spec.schema()).merge();
    this.keyType = spec.schema().keyType();
    this.order = new SequenceOrder(spec.schema(), merge);
    this.vectors = new VectorAllocation(spec.batchRows(), spec.memory());
    this.files = new DataFiles(conf, vectors, spec.addedDefaults());
    this.storage = HadoopFileIO.of(conf);
  }

  ReadSpec spec() {
    return spec;
  }

  ReadMetrics metrics() {
    return metrics;
  }

  MergeOptions merge() {
    return merge;
  }

  /** Whether the first row of a key counts, not the last one. */
  boolean firstRowCounts() {
    return merge.engine() == MergeOptions.Engine.FIRST_ROW;
  }

  /** Whether rows of kind -U and -D are passed over when rows are checked against others. */
  boolean retractsHideNothing() {
    return merge.ignoreDelete() || firstRowCounts();
  }

  /** The trimmed primary key; empty for an append table. */
  RowType keyType() {
    return keyType;
  }

  /** Which of two rows of a key is newer. */
  SequenceOrder order() {
    return order;
  }

  HadoopFileIO storage() {
    return storage;
  }

  VectorAllocation vectors() {
    return vectors;
  }

  DataFiles files() {
    return files;
  }

  /**
   * Checks that the values that decide which row of a key counts are known exactly.
   *
   * @param more columns that do, besides the key and the sequence
   * @param where what is read, for messages
   */
  void requireOrdered(List<DataField> more, String where) {
    Stream.of(keyType.fields(), order.columns(), more)
        .flatMap(List::stream)
        .filter(column -> column.type() instanceof AtomicType type && isFinerThanSpark(type))
        .findFirst()
        .ifPresent(
            column -> {
              throw new UnsupportedTableException(
                  Condition.KEYLAKE_UNSUPPORTED_TYPE,
                  "Column "
                      + column.name()
                      + " decides which row of a key counts, but Spark's timestamps have"
                      + " microseconds and the column has a precision of "
                      + ((AtomicType) column.type()).precision()
                      + " ("
                      + where
                      + "). Compact the table fully with another engine, or read it there.");
            });
  }

  private static boolean isFinerThanSpark(AtomicType type) {
    return switch (type.root()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> type.precision() > SPARK_TIMESTAMP_DIGITS;
      default -> false;
    };
  }

  /** The schema that a file was written with. */
  TableSchema schemaOf(DataFile file) {
    TableSchema schema = spec.fileSchemas().get(file.schemaId());
    if (schema == null) {
      throw new IllegalStateException(
          "No schema " + file.schemaId() + " for file " + file.name() + " in the read");
    }
    return schema;
  }

  /** The deletion vector; null when {@code stored} is null or deletes nothing. */
  @Nullable DeletionVector load(@Nullable StoredVector stored) {
    if (stored == null) {
      return null;
    }
    byte[] file =
        indexFiles.computeIfAbsent(stored.path(), path -> storage.read(new Location(path)));
    DeletionVector vector = DeletionVectorFile.decode(file, stored.ref(), stored.path());
    return vector.isEmpty() ? null : vector;
  }
}
