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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Values with the entries of all maps in them in the order of their keys: maps are equal whatever
 * the order in which their entries are stored.
 */
final class SortedMaps {
  private SortedMaps() {}

  /** Whether values of a type can hold maps. */
  static boolean isIn(DataType type) {
    return type.existsRecursively(part -> part instanceof MapType);
  }

  /** The columns of a row, of these types. */
  static InternalRow row(InternalRow row, DataType[] types) {
    Object[] values = new Object[types.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.isNullAt(i) ? null : value(row.get(i, types[i]), types[i]);
    }
    return new GenericInternalRow(values);
  }

  private static Object value(Object value, DataType type) {
    if (!isIn(type)) {
      return value;
    } else if (type instanceof MapType map) {
      return map((MapData) value, map);
    } else if (type instanceof ArrayType array) {
      return new GenericArrayData(elements((ArrayData) value, array.elementType()));
    }
    StructType struct = (StructType) type;
    DataType[] types = new DataType[struct.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = struct.fields()[i].dataType();
    }
    return row((InternalRow) value, types);
  }

  private static @Nullable Object[] elements(ArrayData array, DataType type) {
    @Nullable Object[] elements = new Object[array.numElements()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = array.isNullAt(i) ? null : value(array.get(i, type), type);
    }
    return elements;
  }

  private static MapData map(MapData map, MapType type) {
    @Nullable Object[] keys = elements(map.keyArray(), type.keyType());
    @Nullable Object[] values = elements(map.valueArray(), type.valueType());
    Comparator<Object> order = TypeUtils.getInterpretedOrdering(type.keyType());
    List<Integer> entries = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      entries.add(i);
    }
    entries.sort((left, right) -> order.compare(keys[left], keys[right]));
    return new ArrayBasedMapData(
        new GenericArrayData(entries.stream().map(entry -> keys[entry]).toArray()),
        new GenericArrayData(entries.stream().map(entry -> values[entry]).toArray()));
  }
}
