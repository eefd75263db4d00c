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

package io.keylake.spark.file.encode;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** Rows and schemas for tests of writing. */
public final class TestRows {
  private TestRows() {}

  /** Spark rows as the unsafe rows that writers receive. */
  public static List<UnsafeRow> unsafe(List<DataField> fields, List<Row> rows) {
    StructType type = SparkTypes.toSpark(RowType.of(fields));
    scala.Function1<Object, Object> converter =
        CatalystTypeConverters.createToCatalystConverter(type);
    UnsafeProjection projection = UnsafeProjection.create(type);
    List<UnsafeRow> result = new ArrayList<>();
    for (Row row : rows) {
      result.add(projection.apply((InternalRow) converter.apply(row)).copy());
    }
    return result;
  }

  /** A schema with id 0. */
  public static TableSchema schema(
      List<DataField> fields,
      List<String> partitionKeys,
      List<String> primaryKeys,
      Map<String, String> options) {
    int highest = fields.stream().mapToInt(DataField::id).max().orElse(-1);
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        fields,
        highest + 100,
        partitionKeys,
        primaryKeys,
        options,
        null,
        0,
        UnknownKeys.NONE);
  }

  /** Batches of these rows, numbered from {@code firstSequence}, all of kind {@code kind}. */
  public static RowBatch batch(List<UnsafeRow> rows, long firstSequence, byte kind) {
    RowBatch batch = new RowBatch();
    long sequence = firstSequence;
    for (UnsafeRow row : rows) {
      batch.add(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes(), sequence++, kind);
    }
    return batch;
  }
}
