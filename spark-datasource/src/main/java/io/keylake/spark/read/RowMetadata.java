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

import io.keylake.format.errors.Condition;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.table.evolution.TrackedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns that say where a row comes from, by all names that are accepted: {@code _file},
 * {@code _pos}, {@code _partition}, {@code _bucket}, and the reference implementation's {@code
 * __paimon_file_path}, {@code __paimon_row_index}, {@code __paimon_partition}, {@code
 * __paimon_bucket}. A column of the table with such a name hides it.
 */
public final class RowMetadata {
  private static final String PRESERVED_ON_REINSERT = "{\"__preserve_on_reinsert\":true}";

  private RowMetadata() {}

  /** All of them, for Spark. */
  public static MetadataColumn[] columns(TableSchema schema) {
    StructType partition = SparkTypes.toSpark(schema.partitionType());
    List<MetadataColumn> columns = new ArrayList<>();
    for (Named column : Named.values()) {
      if (column.needsTracking && !TrackedRows.areIn(schema)) {
        continue;
      }
      DataType type =
          switch (column.meaning) {
            case FILE -> DataTypes.StringType;
            case POSITION, ROW_ID, SEQUENCE_NUMBER -> DataTypes.LongType;
            case PARTITION -> partition;
            case BUCKET -> DataTypes.IntegerType;
          };
      columns.add(new Described(column.columnName, type, column.comment, column.metadata()));
    }
    for (BeforeImage image : BeforeImage.values()) {
      List<DataField> before = image.columns(schema);
      if (!before.isEmpty()) {
        columns.add(
            new Described(
                image.columnName(), SparkTypes.toSpark(RowType.of(before)), image.comment(), null));
      }
    }
    return columns.toArray(MetadataColumn[]::new);
  }

  /** What the column of this name says, or empty when there is no such metadata column. */
  static Optional<ReadColumn.MetadataColumn> meaning(String name) {
    for (Named column : Named.values()) {
      if (column.columnName.equals(name)) {
        return Optional.of(column.meaning);
      }
    }
    return Optional.empty();
  }

  /** A name, not hidden by a column of the table, of the address of a row's file. */
  public static String fileColumn(TableSchema schema) {
    return nameOf(ReadColumn.MetadataColumn.FILE, schema);
  }

  /** A name, not hidden by a column of the table, of the position of a row in its file. */
  public static String positionColumn(TableSchema schema) {
    return nameOf(ReadColumn.MetadataColumn.POSITION, schema);
  }

  private static String nameOf(ReadColumn.MetadataColumn meaning, TableSchema schema) {
    List<String> names = new ArrayList<>();
    for (Named column : Named.values()) {
      if (column.meaning == meaning) {
        names.add(column.columnName);
      }
    }
    return names.stream()
        .filter(name -> schema.fields().stream().noneMatch(f -> f.name().equalsIgnoreCase(name)))
        .findFirst()
        .orElseThrow(
            () ->
                SparkErrors.failure(
                    Condition.KEYLAKE_UNSUPPORTED_OPERATION,
                    "Rows of the table cannot be deleted or updated one by one: its columns hide"
                        + " all of the metadata columns "
                        + names
                        + ". Rename one of them."));
  }

  private enum Named {
    FILE("_file", ReadColumn.MetadataColumn.FILE, "Full address of the row's data file"),
    POS("_pos", ReadColumn.MetadataColumn.POSITION, "Position of the row in its file, from 0"),
    PARTITION("_partition", ReadColumn.MetadataColumn.PARTITION, "Values of the row's partition"),
    BUCKET("_bucket", ReadColumn.MetadataColumn.BUCKET, "Number of the row's bucket"),
    FORMAT_FILE("__paimon_file_path", ReadColumn.MetadataColumn.FILE, "The same as _file"),
    FORMAT_POS("__paimon_row_index", ReadColumn.MetadataColumn.POSITION, "The same as _pos"),
    FORMAT_PARTITION(
        "__paimon_partition", ReadColumn.MetadataColumn.PARTITION, "The same as _partition"),
    FORMAT_BUCKET("__paimon_bucket", ReadColumn.MetadataColumn.BUCKET, "The same as _bucket"),
    ROW_ID("_ROW_ID", ReadColumn.MetadataColumn.ROW_ID, "Id of the row, the same for ever"),
    SEQUENCE_NUMBER(
        "_SEQUENCE_NUMBER",
        ReadColumn.MetadataColumn.SEQUENCE_NUMBER,
        "Id of the snapshot that wrote the row");

    private final String columnName;
    private final ReadColumn.MetadataColumn meaning;
    private final String comment;
    private final boolean needsTracking;

    Named(String columnName, ReadColumn.MetadataColumn meaning, String comment) {
      this.columnName = columnName;
      this.meaning = meaning;
      this.comment = comment;
      this.needsTracking =
          meaning == ReadColumn.MetadataColumn.ROW_ID
              || meaning == ReadColumn.MetadataColumn.SEQUENCE_NUMBER;
    }

    /** An updated row keeps its id, though it may come as a delete and an insert. */
    @Nullable String metadata() {
      return meaning == ReadColumn.MetadataColumn.ROW_ID ? PRESERVED_ON_REINSERT : null;
    }
  }

  private record Described(
      String name, DataType dataType, String comment, @Nullable String metadataInJSON)
      implements MetadataColumn {
    @Override
    public boolean isNullable() {
      return false;
    }
  }
}
