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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.predicate.ValueBounds;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.table.evolution.StoredColumns;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of columns in data files, given in the types of the schema that is read: partition columns
 * from the partition, key columns from the key statistics, others from the value statistics. Safe
 * for use by many threads.
 */
final class FileBounds {
  private final TableSchema schema;
  private final LongFunction<TableSchema> schemas;
  private final RowType partitionType;
  private final BinaryRowCodec partitionCodec;
  private final RowType keyType;
  private final BinaryRowCodec keyCodec;
  private final Map<Long, StoredColumns> storedColumns = new ConcurrentHashMap<>();

  /**
   * Bounds of a table's files.
   *
   * @param schema the schema that is read
   * @param schemas gives the schema of an id
   */
  FileBounds(TableSchema schema, LongFunction<TableSchema> schemas) {
    this.schema = schema;
    this.schemas = schemas;
    this.partitionType = schema.partitionType();
    this.partitionCodec = BinaryRowCodec.of(partitionType);
    this.keyType = schema.keyType();
    this.keyCodec = BinaryRowCodec.of(keyType);
  }

  /** The columns of the schema that is read, as a file has them. */
  StoredColumns columns(DataFile file) {
    return storedColumns.computeIfAbsent(
        file.schemaId(), id -> StoredColumns.of(schemas.apply(id), schema));
  }

  /** What is known of a column in a file. */
  ValueBounds of(DataField column, BinaryRow partition, DataFile file) {
    int inPartition = partitionType.indexOfId(column.id());
    if (inPartition >= 0) {
      Object value = partitionCodec.value(partition, inPartition);
      return new ValueBounds(value, value, value == null ? file.rowCount() : 0L);
    }
    int inKey = keyType.indexOfId(column.id());
    if (inKey >= 0 && file.keyStats().minValues().arity() == keyType.size()) {
      return ofKey(file.keyStats(), inKey);
    }
    List<String> covered =
        file.valueStatsColumns() == null ? file.writeColumns() : file.valueStatsColumns();
    return columns(file).bounds(column, file.valueStats(), covered, file.rowCount());
  }

  private ValueBounds ofKey(ColumnStats stats, int position) {
    List<@Nullable Long> nullCounts = stats.nullCounts();
    return new ValueBounds(
        keyCodec.value(stats.minValues(), position),
        keyCodec.value(stats.maxValues(), position),
        position < nullCounts.size() ? nullCounts.get(position) : null);
  }
}
