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

package io.keylake.spark.read;

import io.keylake.format.errors.Condition;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.merge.ReadColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Turns the columns that Spark asks for, nested fields left out included, into columns of the
 * table.
 */
public final class ReadProjection {
  private ReadProjection() {}

  /**
   * The columns to read.
   *
   * @param required what Spark asks for
   * @param row the table's columns
   */
  public static List<ReadColumn> of(StructType required, RowType row) {
    List<ReadColumn> columns = new ArrayList<>();
    for (StructField wanted : new OutputShape(required).flat().fields()) {
      DataField field = row.field(wanted.name()).orElse(null);
      if (field != null) {
        columns.add(
            new ReadColumn.TableColumn(field.withType(reduce(field.type(), wanted.dataType()))));
      } else {
        columns.add(
            RowMetadata.meaning(wanted.name())
                .orElseThrow(
                    () ->
                        SparkErrors.failure(
                            Condition.KEYLAKE_COLUMN_NOT_FOUND,
                            "Column "
                                + wanted.name()
                                + " does not exist in the version that is read. Its columns are "
                                + row.names()
                                + ".")));
      }
    }
    return columns;
  }

  private static DataType reduce(DataType type, org.apache.spark.sql.types.DataType wanted) {
    if (type instanceof RowType row && wanted instanceof StructType struct) {
      List<DataField> fields = new ArrayList<>();
      for (StructField part : struct.fields()) {
        DataField field = row.field(part.name()).orElseThrow();
        fields.add(field.withType(reduce(field.type(), part.dataType())));
      }
      return new RowType(fields, row.nullable());
    }
    if (type instanceof io.keylake.format.types.ArrayType array
        && wanted instanceof ArrayType wantedArray) {
      return new io.keylake.format.types.ArrayType(
          reduce(array.element(), wantedArray.elementType()), array.nullable());
    }
    if (type instanceof io.keylake.format.types.MapType map
        && wanted instanceof MapType wantedMap) {
      return new io.keylake.format.types.MapType(
          reduce(map.key(), wantedMap.keyType()),
          reduce(map.value(), wantedMap.valueType()),
          map.nullable());
    }
    return type;
  }
}
