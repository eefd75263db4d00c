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

import java.util.stream.Collectors;

/**
 * The text of a data type. For atomic types it is the notation of schema files, which {@link
 * TypeParser} reads; for nested types it is the SQL notation, for messages only (a schema file
 * stores them as objects).
 *
 * <p>Rules, with examples:
 *
 * <ol>
 *   <li>DECIMAL has a space after the comma: {@code DECIMAL(10, 2)};
 *   <li>the longest VARCHAR is {@code STRING}, the longest VARBINARY is {@code BYTES};
 *   <li>{@code NOT NULL} follows when the type is not nullable: {@code TIMESTAMP(6) WITH LOCAL TIME
 *       ZONE NOT NULL}.
 * </ol>
 *
 * Rule source: table format, type notation. Pinned by {@code TypeTextTest}.
 */
public final class TypeText {
  static final String NOT_NULL = " NOT NULL";

  private TypeText() {}

  /** The text of {@code type} with its nullability. */
  public static String of(DataType type) {
    return type.nullable() ? withoutNullability(type) : withoutNullability(type) + NOT_NULL;
  }

  private static String withoutNullability(DataType type) {
    return switch (type.root()) {
      case ARRAY -> "ARRAY<" + of(((ArrayType) type).element()) + ">";
      case MULTISET -> "MULTISET<" + of(((MultisetType) type).element()) + ">";
      case MAP -> "MAP<" + of(((MapType) type).key()) + ", " + of(((MapType) type).value()) + ">";
      case ROW ->
          ((RowType) type)
              .fields().stream()
                  .map(field -> field.name() + " " + of(field.type()))
                  .collect(Collectors.joining(", ", "ROW<", ">"));
      case VECTOR ->
          "VECTOR<" + of(((VectorType) type).element()) + ", " + ((VectorType) type).length() + ">";
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          VARIANT,
          BLOB ->
          atomic((AtomicType) type);
    };
  }

  private static String atomic(AtomicType type) {
    String name = type.root().name();
    return switch (type.root()) {
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case VARCHAR -> type.precision() == DataTypes.MAX_LENGTH ? "STRING" : sized(name, type);
      case VARBINARY -> type.precision() == DataTypes.MAX_LENGTH ? "BYTES" : sized(name, type);
      case CHAR, BINARY, TIME, TIMESTAMP -> sized(name, type);
      case TIMESTAMP_LTZ -> sized("TIMESTAMP", type) + " WITH LOCAL TIME ZONE";
      default -> name;
    };
  }

  private static String sized(String name, AtomicType type) {
    return name + "(" + type.precision() + ")";
  }
}
