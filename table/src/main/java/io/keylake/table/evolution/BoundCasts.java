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

package io.keylake.table.evolution;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** Casts bounds of a column, where that leaves them bounds. */
final class BoundCasts {
  private BoundCasts() {}

  /** The value as one of {@code to}; empty when the cast does not keep the order. */
  static Optional<Object> cast(Object value, DataType from, DataType to) {
    return TypeCasts.keepOrder(from, to)
        ? Optional.of(castKeepingOrder(value, (AtomicType) to))
        : Optional.empty();
  }

  private static Object castKeepingOrder(Object value, AtomicType to) {
    return switch (to.root()) {
      case TINYINT -> ((Number) value).byteValue();
      case SMALLINT -> ((Number) value).shortValue();
      case INT -> ((Number) value).intValue();
      case BIGINT -> ((Number) value).longValue();
      case FLOAT -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DECIMAL -> decimal((Number) value, to.scale());
      default -> value;
    };
  }

  private static BigDecimal decimal(Number value, int scale) {
    BigDecimal decimal =
        value instanceof BigDecimal exact ? exact : BigDecimal.valueOf(value.longValue());
    return decimal.setScale(scale, RoundingMode.UNNECESSARY);
  }
}
