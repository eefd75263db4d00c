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

package io.keylake.spark.write.change;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows as they were, as rows of the table: the key from the row's id, other columns from the before
 * image, NULL where it has none. For one thread.
 */
final class OldRows {
  private final UnsafeProjection projection;
  private final JoinedRow joined = new JoinedRow();
  private final int imageSize;

  /**
   * Rows of a table.
   *
   * @param image what comes with the id; null = nothing
   * @param wanted the columns of it that are taken over
   */
  OldRows(TableSchema schema, @Nullable BeforeImage image, @Nullable BeforeImage wanted) {
    List<DataField> before = image == null ? List.of() : image.columns(schema);
    List<DataField> taken = wanted == null ? List.of() : wanted.columns(schema);
    this.imageSize = before.size();
    int keys = schema.primaryKeys().size();
    List<Expression> columns = new ArrayList<>();
    for (DataField field : schema.fields()) {
      DataType type = SparkTypes.toSpark(field.name(), field.type());
      int key = schema.primaryKeys().indexOf(field.name());
      int place = before.indexOf(field);
      if (key >= 0) {
        columns.add(new BoundReference(key, type, false));
      } else if (place >= 0 && taken.contains(field)) {
        columns.add(new BoundReference(keys + place, type, true));
      } else {
        columns.add(Literal.create(null, type));
      }
    }
    this.projection = UnsafeProjection.create(CollectionConverters.asScala(columns).toSeq());
  }

  /** The row, valid until the next call. */
  UnsafeRow of(@Nullable InternalRow metadata, InternalRow id) {
    InternalRow image =
        imageSize == 0 || metadata == null ? InternalRow.empty() : metadata.getStruct(0, imageSize);
    return projection.apply(joined.apply(id, image));
  }
}
