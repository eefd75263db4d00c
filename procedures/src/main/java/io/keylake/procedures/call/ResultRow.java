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

package io.keylake.procedures.call;

import java.util.Collection;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** Rows of a procedure's result. */
public final class ResultRow {
  private ResultRow() {}

  /** A row of these values: Spark's internal values, or Java's strings. */
  public static InternalRow of(@Nullable Object... values) {
    @Nullable Object[] internal = new @Nullable Object[values.length];
    for (int i = 0; i < values.length; i++) {
      internal[i] = values[i] instanceof String text ? UTF8String.fromString(text) : values[i];
    }
    return new GenericInternalRow(internal);
  }

  /** A value of type {@code ARRAY<STRING>}. */
  public static ArrayData list(Collection<String> texts) {
    return new GenericArrayData(texts.stream().map(UTF8String::fromString).toArray());
  }

  /** A value of type {@code MAP<STRING, STRING>}, in the order of the map. */
  public static MapData map(Map<String, String> texts) {
    return new ArrayBasedMapData(list(texts.keySet()), list(texts.values()));
  }
}
