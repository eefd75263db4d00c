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

import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.vector.StructOfColumns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * How the columns that are read become those that Spark asked for: {@link BeforeImage} is a struct
 * of columns of the table, all others are columns as they are.
 *
 * @param asked the columns that Spark asked for
 */
record OutputShape(StructType asked) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The columns that are read, the struct's fields in its place. */
  StructType flat() {
    List<StructField> fields = new ArrayList<>();
    for (StructField field : asked.fields()) {
      if (isBefore(field)) {
        fields.addAll(List.of(((StructType) field.dataType()).fields()));
      } else {
        fields.add(field);
      }
    }
    return new StructType(fields.toArray(StructField[]::new));
  }

  /** Whether something has to be put together. */
  boolean isNested() {
    for (StructField field : asked.fields()) {
      if (isBefore(field)) {
        return true;
      }
    }
    return false;
  }

  /** The batch as Spark asked for it. */
  ColumnarBatch of(ColumnarBatch read) {
    StructField[] fields = asked.fields();
    ColumnVector[] columns = new ColumnVector[fields.length];
    int next = 0;
    for (int i = 0; i < columns.length; i++) {
      if (isBefore(fields[i])) {
        ColumnVector[] children = new ColumnVector[((StructType) fields[i].dataType()).size()];
        for (int child = 0; child < children.length; child++) {
          children[child] = read.column(next++);
        }
        columns[i] = new StructOfColumns((StructType) fields[i].dataType(), children);
      } else {
        columns[i] = read.column(next++);
      }
    }
    return new ColumnarBatch(columns, read.numRows());
  }

  static boolean isBefore(StructField field) {
    return BeforeImage.named(field.name()).isPresent() && field.dataType() instanceof StructType;
  }
}
