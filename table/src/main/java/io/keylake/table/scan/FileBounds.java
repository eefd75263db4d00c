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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of columns in data files, given in the types of the schema that is read: partition columns
 * from the partition, key columns from the key statistics, others from the value statistics.
 * Columns are matched by field id with the schema a file was written with. Not for use by several
 * threads.
 */
final class FileBounds {
  private final LongFunction<TableSchema> schemas;
  private final RowType partitionType;
  private final BinaryRowCodec partitionCodec;
  private final RowType keyType;
  private final BinaryRowCodec keyCodec;
  private final Map<Covered, StatsLayout> layouts = new HashMap<>();

  /**
   * Bounds of a table's files.
   *
   * @param schema the schema that is read
   * @param schemas gives the schema of an id
   */
  FileBounds(TableSchema schema, LongFunction<TableSchema> schemas) {
    this.schemas = schemas;
    this.partitionType = schema.partitionType();
    this.partitionCodec = BinaryRowCodec.of(partitionType);
    this.keyType = schema.keyType();
    this.keyCodec = BinaryRowCodec.of(keyType);
  }

  private record Covered(long schemaId, @Nullable List<String> columns) {}

  /** The columns that statistics cover, as the file's schema has them. */
  private record StatsLayout(RowType type, BinaryRowCodec codec) {}

  /** What is known of a column in a file. */
  ValueBounds of(DataField column, BinaryRow partition, DataFile file) {
    int inPartition = partitionType.indexOfId(column.id());
    if (inPartition >= 0) {
      Object value = partitionCodec.value(partition, inPartition);
      return new ValueBounds(value, value, value == null ? file.rowCount() : 0L);
    }
    int inKey = keyType.indexOfId(column.id());
    if (inKey >= 0 && file.keyStats().minValues().arity() == keyType.size()) {
      return bounds(file.keyStats(), keyCodec, inKey, keyType.field(inKey), column);
    }
    StatsLayout layout = layout(file);
    int position = layout.type.indexOfId(column.id());
    return position < 0 || position >= file.valueStats().minValues().arity()
        ? ValueBounds.UNKNOWN
        : bounds(file.valueStats(), layout.codec, position, layout.type.field(position), column);
  }

  private StatsLayout layout(DataFile file) {
    List<String> columns =
        file.valueStatsColumns() == null ? file.writeColumns() : file.valueStatsColumns();
    return layouts.computeIfAbsent(
        new Covered(file.schemaId(), columns),
        covered -> {
          RowType all = schemas.apply(covered.schemaId).rowType();
          RowType type =
              covered.columns == null
                  ? all
                  : RowType.of(
                      covered.columns.stream().flatMap(name -> all.field(name).stream()).toList());
          boolean complete = covered.columns == null || type.size() == covered.columns.size();
          RowType usable = complete ? type : RowType.of(List.of());
          return new StatsLayout(usable, BinaryRowCodec.of(usable));
        });
  }

  private static ValueBounds bounds(
      ColumnStats stats, BinaryRowCodec codec, int position, DataField stored, DataField wanted) {
    List<@Nullable Long> nullCounts = stats.nullCounts();
    Long nulls = position < nullCounts.size() ? nullCounts.get(position) : null;
    UnaryOperator<Object> cast = StatsCast.between(stored.type(), wanted.type());
    if (cast == null) {
      return ValueBounds.UNKNOWN;
    }
    Object min = codec.value(stats.minValues(), position);
    Object max = codec.value(stats.maxValues(), position);
    return new ValueBounds(
        min == null ? null : cast.apply(min), max == null ? null : cast.apply(max), nulls);
  }
}
