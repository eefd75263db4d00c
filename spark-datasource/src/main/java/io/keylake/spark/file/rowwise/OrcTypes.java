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
import org.apache.orc.TypeDescription;

/**
 * The ORC type of a data file. Every type carries the attribute {@code paimon.id}: that of a column
 * or field, or the derived id of an element, key or value.
 *
 * <p>Rule source: table format, ORC data files and nested field ids; files of the reference
 * implementation 1.4.2; pinned by {@code RowFileWritersTest}.
 */
final class OrcTypes {
  private static final String ID = "paimon.id";
  private static final int NESTED_ID_BASE = 536870911;
  private static final int NESTED_ID_STEP = 1024;

  private OrcTypes() {}

  /** The type of a file with these physical columns. */
  static TypeDescription of(RowType columns) {
    TypeDescription struct = TypeDescription.createStruct();
    for (DataField field : columns.fields()) {
      TypeDescription type = of(field.type(), field, 0);
      type.setAttribute(ID, Integer.toString(field.id()));
      StorableNames.checkOrc(field.name());
      struct.addField(field.name(), type);
    }
    return struct;
  }

  private static TypeDescription of(DataType type, DataField field, int depth) {
    return switch (type.root()) {
      case ROW -> of((RowType) type);
      case ARRAY ->
          TypeDescription.createList(value(((ArrayType) type).element(), field, depth + 1));
      case MAP -> map(((MapType) type).key(), ((MapType) type).value(), field, depth + 1);
      case MULTISET ->
          map(((MultisetType) type).element(), DataTypes.INT.asNotNull(), field, depth + 1);
      case VECTOR -> throw unsupported(type, field);
      default -> atomic((AtomicType) type, field);
    };
  }

  private static TypeDescription map(DataType key, DataType value, DataField field, int depth) {
    TypeDescription keyType = of(key, field, depth);
    keyType.setAttribute(
        ID, Integer.toString(NESTED_ID_BASE - NESTED_ID_STEP * field.id() - depth));
    return TypeDescription.createMap(keyType, value(value, field, depth));
  }

  private static TypeDescription value(DataType type, DataField field, int depth) {
    TypeDescription description = of(type, field, depth);
    description.setAttribute(
        ID, Integer.toString(NESTED_ID_BASE + NESTED_ID_STEP * field.id() + depth));
    return description;
  }

  private static TypeDescription atomic(AtomicType type, DataField field) {
    return switch (type.root()) {
      case BOOLEAN -> TypeDescription.createBoolean();
      case TINYINT -> TypeDescription.createByte();
      case SMALLINT -> TypeDescription.createShort();
      case INT, TIME -> TypeDescription.createInt();
      case BIGINT -> TypeDescription.createLong();
      case FLOAT -> TypeDescription.createFloat();
      case DOUBLE -> TypeDescription.createDouble();
      case CHAR -> TypeDescription.createChar().withMaxLength(type.precision());
      case VARCHAR ->
          type.precision() == DataTypes.MAX_LENGTH
              ? TypeDescription.createString()
              : TypeDescription.createVarchar().withMaxLength(type.precision());
      case BINARY, VARBINARY, BLOB -> TypeDescription.createBinary();
      case DATE -> TypeDescription.createDate();
      case DECIMAL ->
          TypeDescription.createDecimal().withScale(type.scale()).withPrecision(type.precision());
      case TIMESTAMP -> TypeDescription.createTimestamp();
      case TIMESTAMP_LTZ -> TypeDescription.createTimestampInstant();
      default -> throw unsupported(type, field);
    };
  }

  private static UnsupportedTableException unsupported(DataType type, DataField field) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_TYPE,
        "Column "
            + field.name()
            + " of type "
            + type.root()
            + " cannot be stored in an ORC data file. Set file.format to parquet, or change the"
            + " type.");
  }
}
