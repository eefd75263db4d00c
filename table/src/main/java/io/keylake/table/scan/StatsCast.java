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

package io.keylake.table.scan;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns a bound of a column as a file's schema has it into the type of a newer schema, where the
 * change of type keeps the order of values: equal types, wider integers, FLOAT to DOUBLE, more
 * digits, longer text. For other changes bounds cannot be used.
 */
final class StatsCast {
  private StatsCast() {}

  /** The conversion; null when the order may change. */
  static @Nullable UnaryOperator<Object> between(DataType from, DataType to) {
    if (from.asNullable().equals(to.asNullable())) {
      return value -> value;
    }
    return from instanceof AtomicType source && to instanceof AtomicType target
        ? atomic(source, target)
        : null;
  }

  private static @Nullable UnaryOperator<Object> atomic(AtomicType from, AtomicType to) {
    return switch (from.root()) {
      case TINYINT, SMALLINT, INT, BIGINT -> ofInteger(from, to);
      case FLOAT -> to.root() == TypeRoot.DOUBLE ? value -> ((Float) value).doubleValue() : null;
      case DECIMAL ->
          to.root() == from.root()
                  && to.scale() >= from.scale()
                  && to.precision() - to.scale() >= from.precision() - from.scale()
              ? value -> ((BigDecimal) value).setScale(to.scale())
              : null;
      case TIMESTAMP, TIMESTAMP_LTZ, VARCHAR, VARBINARY ->
          to.root() == from.root() && to.precision() >= from.precision() ? value -> value : null;
      default -> null;
    };
  }

  private static @Nullable UnaryOperator<Object> ofInteger(AtomicType from, AtomicType to) {
    boolean wider = to.root().compareTo(from.root()) > 0;
    return switch (to.root()) {
      case SMALLINT -> wider ? value -> ((Number) value).shortValue() : null;
      case INT -> wider ? value -> ((Number) value).intValue() : null;
      case BIGINT -> wider ? value -> ((Number) value).longValue() : null;
      case DOUBLE -> value -> ((Number) value).doubleValue();
      default -> null;
    };
  }
}
