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

package io.keylake.spark.merge.function.nested;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.MapType;
import io.keylake.spark.merge.function.FoldedColumn;
import io.keylake.spark.vector.ValueAppender;
import io.keylake.spark.vector.ValueAppenders;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;

/** Copies one element of an array or a map. */
interface ElementCopy {
  /** Appends element {@code item} of the children of {@code values} to those of {@code target}. */
  void append(WritableColumnVector values, int item, WritableColumnVector target);

  /** Copies elements of an array. */
  static ElementCopy ofArray(FoldedColumn column, ArrayType type) {
    ValueAppender element = ValueAppenders.of(column.name(), type.element(), type.element());
    return (values, item, target) -> element.append(values.getChild(0), item, target.getChild(0));
  }

  /** Copies entries of a map. */
  static ElementCopy ofMap(FoldedColumn column, MapType type) {
    ValueAppender key = ValueAppenders.of(column.name(), type.key(), type.key());
    ValueAppender value = ValueAppenders.of(column.name(), type.value(), type.value());
    return (values, item, target) -> {
      key.append(values.getChild(0), item, target.getChild(0));
      value.append(values.getChild(1), item, target.getChild(1));
    };
  }
}
