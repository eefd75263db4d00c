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

package io.keylake.format.predicate;

import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides exactly whether a row satisfies a predicate, for rows known in full such as partitions
 * and keys. NaN equals itself and is above every number, as in SQL. Columns are found by id; the
 * row's type must have every column of the predicate, with the type that the literals have.
 * Immutable.
 */
public final class RowEvaluator {
  private final Predicate predicate;
  private final BinaryRowCodec codec;

  private RowEvaluator(Predicate predicate, BinaryRowCodec codec) {
    this.predicate = predicate;
    this.codec = codec;
  }

  /** An evaluator of {@code predicate} on rows of {@code type}. */
  public static RowEvaluator of(Predicate predicate, RowType type) {
    for (int id : Predicates.fieldIds(predicate)) {
      if (type.indexOfId(id) < 0) {
        throw new IllegalArgumentException("No column of id " + id + " in " + type.names());
      }
    }
    return new RowEvaluator(predicate, BinaryRowCodec.of(type));
  }

  /** Whether the predicate is true for the row. */
  public boolean matches(BinaryRow row) {
    return matches(codec.decode(row));
  }

  /** Whether the predicate is true for the row of these values, one per column in order. */
  public boolean matches(List<? extends @Nullable Object> values) {
    return matches(predicate, values);
  }

  private boolean matches(Predicate part, List<? extends @Nullable Object> values) {
    if (part instanceof Leaf leaf) {
      return matches(leaf, values.get(codec.type().indexOfId(leaf.field().id())));
    }
    return part instanceof Predicate.And
        ? Predicates.parts(part).stream().allMatch(inner -> matches(inner, values))
        : Predicates.parts(part).stream().anyMatch(inner -> matches(inner, values));
  }

  private static boolean matches(Leaf leaf, @Nullable Object value) {
    return switch (leaf.operator()) {
      case IS_NULL -> value == null;
      case IS_NOT_NULL -> value != null;
      case EQUAL,
          NOT_EQUAL,
          LESS,
          LESS_OR_EQUAL,
          GREATER,
          GREATER_OR_EQUAL,
          IN,
          NOT_IN,
          STARTS_WITH ->
          value != null && compares(leaf, value);
    };
  }

  private static boolean compares(Leaf leaf, Object value) {
    DataField field = leaf.field();
    Comparator<Object> order = ValueComparator.of(field.type());
    Object literal = leaf.literals().get(0);
    return switch (leaf.operator()) {
      case EQUAL, IN -> equalsAny(order, value, leaf.literals());
      case NOT_EQUAL, NOT_IN -> !equalsAny(order, value, leaf.literals());
      case LESS -> order.compare(value, literal) < 0;
      case LESS_OR_EQUAL -> order.compare(value, literal) <= 0;
      case GREATER -> order.compare(value, literal) > 0;
      case GREATER_OR_EQUAL -> order.compare(value, literal) >= 0;
      case STARTS_WITH -> ((String) value).startsWith((String) literal);
      case IS_NULL, IS_NOT_NULL -> throw new IllegalStateException("No comparison: " + leaf);
    };
  }

  private static boolean equalsAny(Comparator<Object> order, Object value, List<Object> literals) {
    return literals.stream().anyMatch(literal -> order.compare(value, literal) == 0);
  }
}
