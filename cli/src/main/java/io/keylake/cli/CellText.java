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

package io.keylake.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.to_json;

import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Turns the columns of a result into text: scalars as Spark casts them, nested values as JSON. */
final class CellText {
  private CellText() {}

  /** The same rows, each column of type STRING and named by its position. */
  static Dataset<Row> of(Dataset<Row> result) {
    StructField[] fields = result.schema().fields();
    String[] names =
        IntStream.range(0, fields.length).mapToObj(i -> "c" + i).toArray(String[]::new);
    Column[] cells = new Column[fields.length];
    for (int i = 0; i < fields.length; i++) {
      cells[i] = cell(col(names[i]), fields[i].dataType()).as(names[i]);
    }
    return result.toDF(names).select(cells);
  }

  private static Column cell(Column column, DataType type) {
    boolean nested =
        type instanceof StructType || type instanceof ArrayType || type instanceof MapType;
    return nested
        ? to_json(column, Map.of("ignoreNullFields", "false"))
        : column.cast(DataTypes.StringType);
  }
}
