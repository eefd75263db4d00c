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

import java.util.ArrayList;
import java.util.List;

/**
 * Gives ids to the columns of a new table and to columns added later. Not safe for use by several
 * threads.
 *
 * <ol>
 *   <li>A column takes the next id, then the rows nested in its type are numbered.
 *   <li>Inside a ROW it is the other way round: the type of a field is numbered first, then the
 *       field takes the next id.
 *   <li>Elements, keys and values have no id.
 * </ol>
 *
 * Example: column {@code mp MAP<STRING, ROW<x INT, y ARRAY<ROW<z STRING>>>>} with id 20 has x=21,
 * z=22, y=23; the next column is 24.
 *
 * <p>Rule source: table format, field ids. Pinned by {@code FieldIdsTest}.
 */
public final class FieldIds {
  /** Ids from here on belong to system columns and do not count as used. */
  public static final int FIRST_SYSTEM_ID = 1073741823;

  private int highest;

  private FieldIds(int highest) {
    this.highest = highest;
  }

  /** For a table without columns: the first id is 0. */
  public static FieldIds fromZero() {
    return new FieldIds(-1);
  }

  /** For a table whose largest id ever used is {@code highestFieldId}. */
  public static FieldIds after(int highestFieldId) {
    return new FieldIds(highestFieldId);
  }

  /** The largest id used so far, -1 when there is none. */
  public int highest() {
    return highest;
  }

  /** The columns with fresh ids, in the same order. */
  public List<DataField> number(List<DataField> columns) {
    List<DataField> numbered = new ArrayList<>(columns.size());
    for (DataField column : columns) {
      numbered.add(number(column));
    }
    return numbered;
  }

  /** The column with a fresh id, and fresh ids inside its type. */
  public DataField number(DataField column) {
    int id = ++highest;
    return withId(column, id, numberInside(column.type()));
  }

  /** The type with fresh ids for all fields of rows inside it. */
  public DataType numberInside(DataType type) {
    return switch (type.root()) {
      case ROW -> numberFields((RowType) type);
      case ARRAY -> new ArrayType(numberInside(((ArrayType) type).element()), type.nullable());
      case MULTISET ->
          new MultisetType(numberInside(((MultisetType) type).element()), type.nullable());
      case MAP -> {
        DataType key = numberInside(((MapType) type).key());
        yield new MapType(key, numberInside(((MapType) type).value()), type.nullable());
      }
      default -> type;
    };
  }

  private RowType numberFields(RowType row) {
    List<DataField> numbered = new ArrayList<>(row.size());
    for (DataField field : row.fields()) {
      DataType type = numberInside(field.type());
      numbered.add(withId(field, ++highest, type));
    }
    return new RowType(numbered, row.nullable());
  }

  private static DataField withId(DataField field, int id, DataType type) {
    return new DataField(id, field.name(), type, field.description(), field.defaultValue());
  }

  /** The largest id in {@code fields}, nested ones included, system columns not; -1 for none. */
  public static int highestOf(List<DataField> fields) {
    int highest = -1;
    for (DataField field : fields) {
      if (field.id() < FIRST_SYSTEM_ID) {
        highest = Math.max(highest, field.id());
      }
      highest = Math.max(highest, highestInside(field.type()));
    }
    return highest;
  }

  private static int highestInside(DataType type) {
    return switch (type.root()) {
      case ROW -> highestOf(((RowType) type).fields());
      case ARRAY -> highestInside(((ArrayType) type).element());
      case MULTISET -> highestInside(((MultisetType) type).element());
      case MAP ->
          Math.max(highestInside(((MapType) type).key()), highestInside(((MapType) type).value()));
      default -> -1;
    };
  }
}
