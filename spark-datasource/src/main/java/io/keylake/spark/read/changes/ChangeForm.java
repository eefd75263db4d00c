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

package io.keylake.spark.read.changes;

import io.keylake.format.schema.SystemColumns;
import io.keylake.spark.changelog.ChangeColumn.Meta;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.options.TableOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Which columns change rows are shown with. */
public enum ChangeForm {
  /** The columns of the table alone. */
  ROWS,
  /** The table's, then {@code _change_type}, {@code _commit_version}, {@code _commit_timestamp}. */
  CHANGES,
  /** {@code rowkind}, where asked for {@code _SEQUENCE_NUMBER}, then the table's. */
  AUDIT,
  /** The same, each column of the table an array of the old and new values of an update. */
  BINLOG;

  /** The column that says what a row is, in Spark's terms. */
  public static final String CHANGE_TYPE = "_change_type";

  /** The column that holds the version of the commit. */
  public static final String COMMIT_VERSION = "_commit_version";

  /** The column that holds the time of the commit. */
  public static final String COMMIT_TIMESTAMP = "_commit_timestamp";

  /** The column that says what a row is, in the format's terms. */
  public static final String ROW_KIND = "rowkind";

  private static final String SEQUENCE = "table-read.sequence-number.enabled";

  /** The columns that are not the table's, by name, in their order. */
  public Map<String, Meta> meta() {
    Map<String, Meta> meta = new LinkedHashMap<>();
    switch (this) {
      case ROWS -> {}
      case CHANGES -> {
        meta.put(CHANGE_TYPE, Meta.CHANGE_TYPE);
        meta.put(COMMIT_VERSION, Meta.COMMIT_VERSION);
        meta.put(COMMIT_TIMESTAMP, Meta.COMMIT_TIMESTAMP);
      }
      case AUDIT, BINLOG -> {
        meta.put(ROW_KIND, Meta.ROW_KIND);
        meta.put(SystemColumns.SEQUENCE_NUMBER.name(), Meta.SEQUENCE_NUMBER);
      }
    }
    return meta;
  }

  /** What a column says of rows; empty when it is one of the table's. */
  Optional<Meta> meta(String column) {
    return Optional.ofNullable(meta().get(column));
  }

  /**
   * Every column of a table in this form, as Spark knows it. CHAR and VARCHAR are STRING, as
   * streams need them.
   */
  public Column[] columns(Column[] table, TableOptions options) {
    List<Column> columns = new ArrayList<>();
    List<Column> meta = new ArrayList<>();
    meta()
        .forEach(
            (name, what) -> {
              boolean isWanted = what != Meta.SEQUENCE_NUMBER || isOn(options);
              if (isWanted) {
                meta.add(Column.create(name, type(what), what == Meta.SEQUENCE_NUMBER));
              }
            });
    List<Column> data =
        Arrays.stream(SparkTypes.asRead(table))
            .map(
                column ->
                    Column.create(
                        column.name(),
                        this == BINLOG ? new ArrayType(column.dataType(), true) : column.dataType(),
                        column.nullable(),
                        column.comment(),
                        this == BINLOG ? null : column.metadataInJSON()))
            .toList();
    columns.addAll(this == CHANGES ? data : meta);
    columns.addAll(this == CHANGES ? meta : data);
    return columns.toArray(Column[]::new);
  }

  private static boolean isOn(TableOptions options) {
    return Boolean.parseBoolean(options.asMap().getOrDefault(SEQUENCE, "false"));
  }

  private static DataType type(Meta what) {
    return switch (what) {
      case ROW_KIND, CHANGE_TYPE -> DataTypes.StringType;
      case COMMIT_VERSION, SEQUENCE_NUMBER -> DataTypes.LongType;
      case COMMIT_TIMESTAMP -> DataTypes.TimestampType;
    };
  }
}
