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

package io.keylake.spark.metadata;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.table.evolution.TrackedRows;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the statistics of data files by the columns of the pinned schema, whatever schema a file
 * was written with: columns are matched by id; a column that the file lacks is NULL in all rows.
 */
final class StatsText {
  private final RowType columns;
  private final MetadataSource source;

  StatsText(MetadataSource source) {
    this.columns = source.schema().rowType();
    this.source = source;
  }

  /** {@code {column=null count, ...}}. */
  String nullCounts(DataFile file) {
    RowType covered = covered(file);
    RowType written = written(file);
    Map<String, @Nullable Object> counts = new HashMap<>();
    for (DataField column : columns.fields()) {
      int index = covered.indexOfId(column.id());
      List<@Nullable Long> known = file.valueStats().nullCounts();
      Long count =
          written.indexOfId(column.id()) < 0
              ? Long.valueOf(file.rowCount())
              : index >= 0 && index < known.size() ? known.get(index) : null;
      counts.put(column.name(), count);
    }
    return MetadataText.byColumn(counts);
  }

  /** {@code {column=smallest value, ...}}. */
  String minimums(DataFile file) {
    return values(file, file.valueStats().minValues());
  }

  /** {@code {column=largest value, ...}}. */
  String maximums(DataFile file) {
    return values(file, file.valueStats().maxValues());
  }

  private String values(DataFile file, BinaryRow row) {
    RowType covered = covered(file);
    BinaryRowCodec codec = BinaryRowCodec.of(covered);
    Map<String, @Nullable Object> values = new HashMap<>();
    for (DataField column : columns.fields()) {
      int index = covered.indexOfId(column.id());
      Object value =
          index < 0 || index >= row.arity() || row.isNullAt(index)
              ? null
              : as(codec.value(row, index), column.type());
      values.put(column.name(), value);
    }
    return MetadataText.byColumn(values);
  }

  /** A value of an older type of a column as its present type prints it. */
  private static @Nullable Object as(@Nullable Object value, DataType type) {
    if (value instanceof BigDecimal number && type.root() == TypeRoot.DECIMAL) {
      return number.setScale(((AtomicType) type).scale(), RoundingMode.HALF_UP);
    } else if (value instanceof Float number && type.root() == TypeRoot.DOUBLE) {
      return number.doubleValue();
    }
    return value;
  }

  private RowType covered(DataFile file) {
    RowType written = written(file);
    List<String> names = file.valueStatsColumns();
    return names == null ? written : written.project(names);
  }

  private RowType written(DataFile file) {
    RowType all = source.storage().schemas().load(file.schemaId()).rowType();
    List<String> columns = file.writeColumns();
    if (columns == null) {
      return all;
    }
    List<DataField> known = new ArrayList<>(all.fields());
    known.add(TrackedRows.ROW_ID);
    known.add(TrackedRows.SEQUENCE_NUMBER);
    return RowType.of(known).project(columns);
  }
}
