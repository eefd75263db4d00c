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

package io.keylake.spark.convert;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.jspecify.annotations.Nullable;

/**
 * Spark's predicates as predicates of the format. Nothing is guessed: what the format cannot say
 * exactly gives no predicate.
 *
 * <ol>
 *   <li>NOT goes down to the leaves; NULL elements of IN are dropped, NOT IN with NULL has no form.
 *   <li>Only top-level columns; a literal must have the column's type as Spark reads it.
 *   <li>CHAR columns (padding) and timestamps finer than Spark's microseconds: only IS [NOT] NULL.
 *   <li>FLOAT and DOUBLE: NaN literals have no form; zero of either sign is equal: {@code = 0.0}
 *       becomes IN (-0.0, 0.0), bounds take the sign that selects more. Spark orders NaN above all.
 * </ol>
 *
 * Pinned by {@code SparkPredicatesTest}.
 */
public final class SparkPredicates {
  private final RowType type;

  /** Predicates on rows of a table with these columns. */
  public SparkPredicates(RowType type) {
    this.type = type;
  }

  /** The same condition, true for exactly the same rows; empty when the format cannot say it. */
  public Optional<Predicate> exact(Expression predicate) {
    return Optional.ofNullable(convert(predicate, Sense.PLAIN, Precision.EXACT));
  }

  /**
   * A condition that is true at least for the rows for which {@code predicate} is true: good for
   * skipping, not for selecting. Empty when there is none.
   */
  public Optional<Predicate> weakened(Expression predicate) {
    return Optional.ofNullable(convert(predicate, Sense.PLAIN, Precision.WEAKER));
  }

  private enum Sense {
    PLAIN,
    NEGATED;

    Sense flipped() {
      return this == PLAIN ? NEGATED : PLAIN;
    }
  }

  private enum Precision {
    EXACT,
    WEAKER
  }

  private @Nullable Predicate convert(Expression expression, Sense sense, Precision precision) {
    if (expression instanceof NamedReference reference) {
      return booleanColumn(reference, sense);
    }
    if (!(expression instanceof org.apache.spark.sql.connector.expressions.filter.Predicate p)) {
      return null;
    }
    Expression[] parts = p.children();
    return switch (p.name()) {
      case "AND" ->
          sense == Sense.PLAIN ? both(parts, sense, precision) : any(parts, sense, precision);
      case "OR" ->
          sense == Sense.PLAIN ? any(parts, sense, precision) : both(parts, sense, precision);
      case "NOT" -> convert(parts[0], sense.flipped(), precision);
      case "BOOLEAN_EXPRESSION" -> convert(parts[0], sense, precision);
      case "IS_NULL" -> nullTest(parts[0], sense == Sense.PLAIN);
      case "IS_NOT_NULL" -> nullTest(parts[0], sense == Sense.NEGATED);
      case "IN" -> in(parts, sense);
      case "<=>" -> nullSafeEqual(parts, sense);
      case "STARTS_WITH" ->
          sense == Sense.PLAIN ? comparison(Operator.STARTS_WITH, parts[0], parts[1]) : null;
      case "=" -> compare(parts, sense, Operator.EQUAL, Operator.NOT_EQUAL);
      case "<>" -> compare(parts, sense, Operator.NOT_EQUAL, Operator.EQUAL);
      case "<" -> compare(parts, sense, Operator.LESS, Operator.GREATER_OR_EQUAL);
      case "<=" -> compare(parts, sense, Operator.LESS_OR_EQUAL, Operator.GREATER);
      case ">" -> compare(parts, sense, Operator.GREATER, Operator.LESS_OR_EQUAL);
      case ">=" -> compare(parts, sense, Operator.GREATER_OR_EQUAL, Operator.LESS);
      default -> null;
    };
  }

  private @Nullable Predicate both(Expression[] parts, Sense sense, Precision precision) {
    List<Predicate> converted = new ArrayList<>();
    for (Expression part : parts) {
      Predicate one = convert(part, sense, precision);
      if (one != null) {
        converted.add(one);
      } else if (precision == Precision.EXACT) {
        return null;
      }
    }
    if (converted.isEmpty()) {
      return null;
    }
    return converted.size() == 1 ? converted.get(0) : new Predicate.And(converted);
  }

  private @Nullable Predicate any(Expression[] parts, Sense sense, Precision precision) {
    List<Predicate> converted = new ArrayList<>();
    for (Expression part : parts) {
      Predicate one = convert(part, sense, precision);
      if (one == null) {
        return null;
      }
      converted.add(one);
    }
    return new Predicate.Or(converted);
  }

  private @Nullable Predicate booleanColumn(NamedReference reference, Sense sense) {
    DataField field = field(reference);
    if (field == null || field.type().root() != TypeRoot.BOOLEAN) {
      return null;
    }
    return new Leaf(field, Operator.EQUAL, List.of(sense == Sense.PLAIN));
  }

  private @Nullable Predicate nullTest(Expression column, boolean isNull) {
    DataField field = field(column);
    if (field == null) {
      return null;
    }
    return new Leaf(field, isNull ? Operator.IS_NULL : Operator.IS_NOT_NULL, List.of());
  }

  private @Nullable Predicate compare(
      Expression[] parts, Sense sense, Operator plain, Operator negated) {
    Operator operator = sense == Sense.PLAIN ? plain : negated;
    if (parts.length != 2) {
      return null;
    }
    if (parts[0] instanceof Literal<?>) {
      return comparison(mirrored(operator), parts[1], parts[0]);
    }
    return comparison(operator, parts[0], parts[1]);
  }

  private static Operator mirrored(Operator operator) {
    return switch (operator) {
      case LESS -> Operator.GREATER;
      case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
      case GREATER -> Operator.LESS;
      case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
      case EQUAL, NOT_EQUAL, IN, NOT_IN, IS_NULL, IS_NOT_NULL, STARTS_WITH -> operator;
    };
  }

  private @Nullable Predicate comparison(Operator operator, Expression column, Expression value) {
    DataField field = field(column);
    if (field == null || !(value instanceof Literal<?> literal)) {
      return null;
    }
    Object converted = Literals.toFormat(field.type(), literal);
    if (converted == null) {
      return null;
    }
    if (Literals.isZeroFloating(converted)) {
      return zero(field, operator, converted);
    }
    return new Leaf(field, operator, List.of(converted));
  }

  /** {@code value} is 0.0 or -0.0, which Spark takes as equal. */
  private static Predicate zero(DataField field, Operator operator, Object value) {
    Object positive = value instanceof Float ? (Object) 0.0f : (Object) 0.0d;
    Object negative = value instanceof Float ? (Object) (-0.0f) : (Object) (-0.0d);
    return switch (operator) {
      case EQUAL, IN -> new Leaf(field, Operator.IN, List.of(negative, positive));
      case NOT_EQUAL, NOT_IN -> new Leaf(field, Operator.NOT_IN, List.of(negative, positive));
      case LESS, GREATER_OR_EQUAL -> new Leaf(field, operator, List.of(negative));
      case LESS_OR_EQUAL, GREATER -> new Leaf(field, operator, List.of(positive));
      case IS_NULL, IS_NOT_NULL, STARTS_WITH -> throw new IllegalArgumentException("" + operator);
    };
  }

  private @Nullable Predicate nullSafeEqual(Expression[] parts, Sense sense) {
    Expression column = parts[0] instanceof Literal<?> ? parts[1] : parts[0];
    Expression value = parts[0] instanceof Literal<?> ? parts[0] : parts[1];
    if (value instanceof Literal<?> literal && literal.value() == null) {
      return nullTest(column, sense == Sense.PLAIN);
    }
    if (sense == Sense.PLAIN) {
      return comparison(Operator.EQUAL, column, value);
    }
    Predicate different = comparison(Operator.NOT_EQUAL, column, value);
    Predicate isNull = nullTest(column, true);
    return different == null || isNull == null
        ? null
        : new Predicate.Or(List.of(different, isNull));
  }

  private @Nullable Predicate in(Expression[] parts, Sense sense) {
    DataField field = field(parts[0]);
    if (field == null) {
      return null;
    }
    List<Object> values = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      if (!(parts[i] instanceof Literal<?> literal)) {
        return null;
      }
      if (literal.value() == null) {
        if (sense == Sense.NEGATED) {
          return null;
        }
        continue;
      }
      Object converted = Literals.toFormat(field.type(), literal);
      if (converted == null) {
        return null;
      }
      Literals.addEqual(values, converted);
    }
    if (values.isEmpty()) {
      return null;
    }
    return new Leaf(field, sense == Sense.PLAIN ? Operator.IN : Operator.NOT_IN, values);
  }

  private @Nullable DataField field(Expression expression) {
    if (expression instanceof NamedReference reference && reference.fieldNames().length == 1) {
      return type.field(reference.fieldNames()[0]).orElse(null);
    }
    return null;
  }
}
