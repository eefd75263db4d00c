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

package io.keylake.spark.write;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.testing.JsonRows;
import io.keylake.table.options.support.WriteSupport;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;

/** How cases define tables and write to them. */
final class CaseWrite {
  private CaseWrite() {}

  /** Checks a definition as CREATE TABLE does. */
  static void define(TableSchema schema) {
    WriteSupport.checkDefinition(schema, "t");
  }

  /** Adds rows, given as canonical text, in one statement. */
  static void write(WriteTarget target, List<String> rows) throws Exception {
    StructType type = SparkTypes.toSpark(RowType.of(target.schema().fields()));
    UnsafeProjection projection = UnsafeProjection.create(type);
    List<UnsafeRow> sparkRows = new ArrayList<>();
    for (String row : rows) {
      sparkRows.add(projection.apply(JsonRows.row(JsonRows.parse(row), type)).copy());
    }
    KeylakeBatchWrite write = WriteFixture.batch(target, Replacement.NOTHING);
    DataWriterFactory factory = write.createBatchWriterFactory(() -> 1);
    write.commit(
        new WriterCommitMessage[] {WriteFixture.task(factory, TaskContext.get(), sparkRows)});
  }
}
