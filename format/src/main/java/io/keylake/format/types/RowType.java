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

package io.keylake.format.types;

import java.util.List;
import java.util.Optional;

/**
 * A row: the type of a table's rows, of a key, of a partition, or of a nested column.
 *
 * @param fields in order; names are unique
 * @param nullable whether a nested row may be NULL; false for the rows of a table
 */
public record RowType(List<DataField> fields, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public RowType {
    fields = List.copyOf(fields);
  }

  /** A NOT NULL row of these fields. */
  public static RowType of(List<DataField> fields) {
    return new RowType(fields, false);
  }

  @Override
  public TypeRoot root() {
    return TypeRoot.ROW;
  }

  @Override
  public RowType asNullable() {
    return new RowType(fields, true);
  }

  @Override
  public RowType asNotNull() {
    return new RowType(fields, false);
  }

  /** The number of fields. */
  public int size() {
    return fields.size();
  }

  /** The field at {@code position}. */
  public DataField field(int position) {
    return fields.get(position);
  }

  /** The field of exactly this name. */
  public Optional<DataField> field(String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst();
  }

  /** The field of this id. */
  public Optional<DataField> fieldById(int id) {
    return fields.stream().filter(field -> field.id() == id).findFirst();
  }

  /** The position of the field of this id, or -1. */
  public int indexOfId(int id) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }

  /** The position of the field of exactly this name, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The names of the fields in order. */
  public List<String> names() {
    return fields.stream().map(DataField::name).toList();
  }

  /** A NOT NULL row of the named fields, in the order of {@code names}; every name must exist. */
  public RowType project(List<String> names) {
    return of(
        names.stream()
            .map(
                name ->
                    field(name)
                        .orElseThrow(
                            () ->
                                new IllegalArgumentException(
                                    "No field " + name + " in " + names())))
            .toList());
  }
}
