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

package io.keylake.table.evolution;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Replaces a part of a nested type, found by path: names of fields, {@code element} into an array,
 * {@code value} into the values of a map. Keys of maps and elements of multisets cannot be reached.
 */
final class ColumnPath {
  static final String ELEMENT = "element";
  static final String VALUE = "value";

  private final List<String> path;
  private final NotFound notFound;

  /** Makes the failure for the part of a path that does not exist. */
  @FunctionalInterface
  interface NotFound {
    RuntimeException failure(String missingPart, DataType in);
  }

  ColumnPath(List<String> path, NotFound notFound) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("A column path cannot be empty");
    }
    this.path = path;
    this.notFound = notFound;
  }

  /** The last part. */
  String name() {
    return path.get(path.size() - 1);
  }

  /** {@code root} with the type at the path replaced. */
  DataType replaceType(DataType root, UnaryOperator<DataType> edit) {
    return replace(root, 0, path.size(), edit);
  }

  /** {@code root} with the fields of the row that has, or shall have, the last part replaced. */
  RowType replaceSiblings(RowType root, UnaryOperator<List<DataField>> edit) {
    return (RowType)
        replace(
            root,
            0,
            path.size() - 1,
            parent -> {
              if (parent instanceof RowType row) {
                return new RowType(edit.apply(row.fields()), row.nullable());
              }
              throw notFound.failure(name(), parent);
            });
  }

  private DataType replace(DataType type, int depth, int end, UnaryOperator<DataType> edit) {
    if (depth == end) {
      return edit.apply(type);
    }
    String step = path.get(depth);
    if (type instanceof RowType row) {
      return replaceField(row, depth, end, edit);
    } else if (type instanceof ArrayType array && step.equals(ELEMENT)) {
      return new ArrayType(replace(array.element(), depth + 1, end, edit), array.nullable());
    } else if (type instanceof MapType map && step.equals(VALUE)) {
      return new MapType(map.key(), replace(map.value(), depth + 1, end, edit), map.nullable());
    }
    throw notFound.failure(step, type);
  }

  private RowType replaceField(RowType row, int depth, int end, UnaryOperator<DataType> edit) {
    int position = position(row.fields(), path.get(depth));
    if (position < 0) {
      throw notFound.failure(path.get(depth), row);
    }
    List<DataField> fields = new ArrayList<>(row.fields());
    DataField field = fields.get(position);
    fields.set(position, field.withType(replace(field.type(), depth + 1, end, edit)));
    return new RowType(fields, row.nullable());
  }

  /** Whether there is a row without fields in {@code type}. */
  static boolean hasEmptyRow(DataType type) {
    if (type instanceof RowType row) {
      return row.fields().isEmpty()
          || row.fields().stream().anyMatch(field -> hasEmptyRow(field.type()));
    } else if (type instanceof ArrayType array) {
      return hasEmptyRow(array.element());
    }
    return type instanceof MapType map && (hasEmptyRow(map.key()) || hasEmptyRow(map.value()));
  }

  static int position(List<DataField> fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
