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

package io.keylake.spark.file.rowwise;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * The Avro schema of a data file.
 *
 * <ol>
 *   <li>Records are named {@code org.apache.paimon.avro.generated.record} plus {@code _} and the
 *       path of field names.
 *   <li>A nullable type is a union of null and the type; in a record its default is null.
 *   <li>TIMESTAMP up to 3 and 6 digits is timestamp-millis and -micros, TIMESTAMP_LTZ
 *       local-timestamp-millis and -micros (that way round).
 *   <li>A map with text keys is an Avro map, any other an array of records of key and value with
 *       the logical type {@code map}.
 * </ol>
 *
 * <p>Rule source: table format, Avro data files; files of the reference implementation 1.4.2;
 * pinned by {@code RowFileWritersTest}.
 */
final class AvroSchemas {
  private static final String NAMESPACE = "org.apache.paimon.avro.generated";
  private static final int MILLIS = 3;
  private static final int MICROS = 6;

  private AvroSchemas() {}

  /** The schema of a file with these physical columns. */
  static Schema of(RowType columns) {
    return record(columns, "record");
  }

  private static Schema record(RowType row, String name) {
    List<Schema.Field> fields = new ArrayList<>();
    for (DataField field : row.fields()) {
      StorableNames.checkAvro(field.name());
      Schema schema = of(field.type(), name + "_" + field.name(), field.name());
      fields.add(
          field.type().nullable()
              ? new Schema.Field(field.name(), schema, null, JsonProperties.NULL_VALUE)
              : new Schema.Field(field.name(), schema));
    }
    return Schema.createRecord(name, null, NAMESPACE, false, fields);
  }

  private static Schema of(DataType type, String name, String column) {
    Schema schema =
        switch (type.root()) {
          case ROW -> record((RowType) type, name);
          case ARRAY -> Schema.createArray(of(((ArrayType) type).element(), name, column));
          case MAP -> map(((MapType) type).key(), ((MapType) type).value(), name, column);
          case MULTISET ->
              map(((MultisetType) type).element(), DataTypes.INT.asNotNull(), name, column);
          case VECTOR -> throw unsupported(type, column);
          default -> atomic((AtomicType) type, column);
        };
    return type.nullable() ? Schema.createUnion(Schema.create(Schema.Type.NULL), schema) : schema;
  }

  private static Schema map(DataType key, DataType value, String name, String column) {
    if (isText(key)) {
      return Schema.createMap(of(value, name + "_value", column));
    }
    Schema keySchema = of(key, name + "_key", column);
    Schema valueSchema = of(value, name + "_value", column);
    Schema entry =
        Schema.createRecord(
            name,
            null,
            NAMESPACE,
            false,
            List.of(
                new Schema.Field("key", keySchema),
                value.nullable()
                    ? new Schema.Field("value", valueSchema, null, JsonProperties.NULL_VALUE)
                    : new Schema.Field("value", valueSchema)));
    Schema entries = Schema.createArray(entry);
    entries.addProp("logicalType", "map");
    return entries;
  }

  /** Whether a map with such keys is an Avro map. */
  static boolean isText(DataType key) {
    return key.root() == TypeRoot.CHAR || key.root() == TypeRoot.VARCHAR;
  }

  private static Schema atomic(AtomicType type, String column) {
    return switch (type.root()) {
      case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
      case TINYINT, SMALLINT, INT -> Schema.create(Schema.Type.INT);
      case BIGINT -> Schema.create(Schema.Type.LONG);
      case FLOAT -> Schema.create(Schema.Type.FLOAT);
      case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
      case CHAR, VARCHAR -> Schema.create(Schema.Type.STRING);
      case BINARY, VARBINARY, BLOB -> Schema.create(Schema.Type.BYTES);
      case DATE -> LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case DECIMAL ->
          LogicalTypes.decimal(type.precision(), type.scale())
              .addToSchema(Schema.create(Schema.Type.BYTES));
      case TIME -> {
        if (type.precision() > MILLIS) {
          throw unsupported(type, column);
        }
        yield LogicalTypes.timeMillis().addToSchema(Schema.create(Schema.Type.INT));
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(type, column);
      default -> throw unsupported(type, column);
    };
  }

  private static Schema timestamp(AtomicType type, String column) {
    Schema schema = Schema.create(Schema.Type.LONG);
    boolean local = type.root() == TypeRoot.TIMESTAMP_LTZ;
    if (type.precision() <= MILLIS) {
      return local
          ? LogicalTypes.localTimestampMillis().addToSchema(schema)
          : LogicalTypes.timestampMillis().addToSchema(schema);
    }
    if (type.precision() <= MICROS) {
      return local
          ? LogicalTypes.localTimestampMicros().addToSchema(schema)
          : LogicalTypes.timestampMicros().addToSchema(schema);
    }
    throw unsupported(type, column);
  }

  private static UnsupportedTableException unsupported(DataType type, String column) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Column "
            + column
            + " of type "
            + type.root()
            + " cannot be stored in an Avro data file. Set file.format to parquet, or change the"
            + " type.");
  }
}
