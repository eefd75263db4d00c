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

package io.keylake.spark.file;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;

/**
 * Which changes of type need no cast, because the readers of all formats give every stored value
 * unchanged in the wanted type.
 */
final class Widening {
  private Widening() {}

  /** Whether stored values of {@code from} can be read as {@code to} without a cast. */
  static boolean isFree(DataType from, DataType to) {
    if (from instanceof AtomicType source && to instanceof AtomicType target) {
      return isFreeScalar(source, target);
    } else if (from instanceof RowType source && to instanceof RowType target) {
      return target.fields().stream()
          .allMatch(
              field ->
                  source
                      .fieldById(field.id())
                      .map(stored -> isFree(stored.type(), field.type()))
                      .orElse(true));
    } else if (from instanceof ArrayType source && to instanceof ArrayType target) {
      return isFree(source.element(), target.element());
    } else if (from instanceof MapType source && to instanceof MapType target) {
      return isFree(source.key(), target.key()) && isFree(source.value(), target.value());
    } else if (from instanceof MultisetType source && to instanceof MultisetType target) {
      return isFree(source.element(), target.element());
    }
    return false;
  }

  private static boolean isFreeScalar(AtomicType from, AtomicType to) {
    boolean sameKind = from.root() == to.root();
    return switch (to.root()) {
      case DECIMAL -> sameKind && from.precision() == to.precision() && from.scale() == to.scale();
      case CHAR, BINARY -> sameKind && from.precision() == to.precision();
      case VARCHAR -> isText(from) && from.precision() <= to.precision();
      case VARBINARY, TIMESTAMP, TIMESTAMP_LTZ -> sameKind && from.precision() <= to.precision();
      case SMALLINT, INT, BIGINT ->
          integerBytes(from) > 0 && integerBytes(from) <= integerBytes(to);
      case DOUBLE -> sameKind || from.root() == TypeRoot.FLOAT;
      default -> sameKind;
    };
  }

  private static boolean isText(AtomicType type) {
    return switch (type.root()) {
      case CHAR, VARCHAR -> true;
      default -> false;
    };
  }

  private static int integerBytes(AtomicType type) {
    return switch (type.root()) {
      case TINYINT -> 1;
      case SMALLINT -> 2;
      case INT -> 4;
      case BIGINT -> 8;
      default -> 0;
    };
  }
}
