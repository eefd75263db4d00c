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

package io.keylake.spark.read.changes;

import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeColumn;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.read.ReadProjection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What a scan of changes gives.
 *
 * @param columns the columns in output order
 * @param output the same columns as Spark knows them
 * @param data the columns of the table among them
 * @param dataOutput the same columns as Spark knows them, outside of arrays
 * @param filters conditions
 * @param limit that many rows suffice, or {@link #NO_LIMIT}
 */
record ChangeRequest(
    List<ChangeColumn> columns,
    StructType output,
    List<ReadColumn> data,
    StructType dataOutput,
    ChangeFilters filters,
    int limit) {
  static final int NO_LIMIT = -1;

  ChangeRequest {
    columns = List.copyOf(columns);
    data = List.copyOf(data);
  }

  static ChangeRequest of(
      ChangeForm form, RowType row, StructType required, ChangeFilters filters, int limit) {
    List<ChangeColumn> columns = new ArrayList<>();
    List<StructField> data = new ArrayList<>();
    for (StructField field : required.fields()) {
      Optional<ChangeColumn.Meta> meta = form.meta(field.name());
      if (meta.isPresent()) {
        columns.add(meta.get());
      } else {
        columns.add(new ChangeColumn.Data(data.size()));
        data.add(
            form == ChangeForm.BINLOG
                ? new StructField(
                    field.name(),
                    ((ArrayType) field.dataType()).elementType(),
                    true,
                    field.metadata())
                : field);
      }
    }
    StructType dataOutput = new StructType(data.toArray(StructField[]::new));
    return new ChangeRequest(
        columns, required, ReadProjection.of(dataOutput, row), dataOutput, filters, limit);
  }
}
