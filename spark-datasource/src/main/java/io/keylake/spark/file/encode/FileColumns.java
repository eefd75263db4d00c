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

import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.spark.file.encode.StoredColumn.Integers;
import io.keylake.spark.file.encode.StoredColumn.Source;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of a table's data files. Rows come with the table's columns in schema order.
 *
 * <ol>
 *   <li>Primary-key tables: {@code _KEY_<k>} for each column of the trimmed key in declared order
 *       (not in thin mode), {@code _SEQUENCE_NUMBER}, {@code _VALUE_KIND}, then all table columns.
 *   <li>Append tables: the table columns.
 * </ol>
 *
 * Rule source: table format, row layout inside a file; pinned by {@code StatisticsOracleTest}.
 *
 * @param columns in the order of the file
 * @param keyOrdinals positions of the trimmed key's columns in the rows; empty for append tables
 * @param valueStart position of the first table column among {@code columns}
 */
public record FileColumns(List<StoredColumn> columns, List<Integer> keyOrdinals, int valueStart)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Whether {@code _KEY_} columns are stored. */
  public enum KeyColumns {
    STORED,
    /** Thin mode: readers take keys from the table's columns. */
    OMITTED
  }

  /** Copies the lists. */
  public FileColumns {
    columns = List.copyOf(columns);
    keyOrdinals = List.copyOf(keyOrdinals);
  }

  /** The columns of an append table's files. */
  public static FileColumns append(TableSchema schema) {
    return new FileColumns(values(schema, List.of(), Integers.DICTIONARY_OR_PLAIN), List.of(), 0);
  }

  /**
   * The columns of a primary-key table's files.
   *
   * @param integers how integer key columns and sequence numbers are written
   */
  public static FileColumns primaryKey(TableSchema schema, KeyColumns keys, Integers integers) {
    List<StoredColumn> columns = new ArrayList<>();
    List<Integer> keyOrdinals = new ArrayList<>();
    for (DataField key : schema.keyType().fields()) {
      int ordinal = schema.rowType().indexOfId(key.id());
      keyOrdinals.add(ordinal);
      if (keys == KeyColumns.STORED) {
        columns.add(
            new StoredColumn(
                SystemColumns.keyColumn(key), Source.ROW, ordinal, encoding(key, integers)));
      }
    }
    columns.add(
        new StoredColumn(SystemColumns.SEQUENCE_NUMBER, Source.SEQUENCE_NUMBER, -1, integers));
    columns.add(
        new StoredColumn(
            SystemColumns.VALUE_KIND, Source.CHANGE_KIND, -1, Integers.DICTIONARY_OR_PLAIN));
    int valueStart = columns.size();
    columns.addAll(values(schema, keyOrdinals, integers));
    return new FileColumns(columns, keyOrdinals, valueStart);
  }

  /** The fields of the file in order. */
  public List<DataField> fields() {
    return columns.stream().map(StoredColumn::field).toList();
  }

  /** The table's columns, in order. */
  public List<StoredColumn> valueColumns() {
    return columns.subList(valueStart, columns.size());
  }

  private static List<StoredColumn> values(
      TableSchema schema, List<Integer> keyOrdinals, Integers integers) {
    List<StoredColumn> columns = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      DataField field = schema.fields().get(i);
      Integers encoding =
          keyOrdinals.contains(i) ? encoding(field, integers) : Integers.DICTIONARY_OR_PLAIN;
      columns.add(new StoredColumn(field, Source.ROW, i, encoding));
    }
    return columns;
  }

  private static Integers encoding(DataField key, Integers wanted) {
    return isPlainInteger(key.type()) ? wanted : Integers.DICTIONARY_OR_PLAIN;
  }

  /** Integers that all readers are known to decode from deltas. */
  private static boolean isPlainInteger(DataType type) {
    return switch (type.root()) {
      case TINYINT, SMALLINT, INT, BIGINT, DATE -> true;
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        int precision = ((AtomicType) type).precision();
        yield precision > 3 && precision <= 6;
      }
      case BOOLEAN,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          TIME,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          false;
    };
  }
}
