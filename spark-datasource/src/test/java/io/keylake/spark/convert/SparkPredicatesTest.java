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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SparkPredicatesTest {
  private static final DataField INT = DataField.of(0, "i", DataTypes.INT);
  private static final DataField TEXT = DataField.of(1, "s", DataTypes.STRING);
  private static final DataField DOUBLE = DataField.of(2, "d", DataTypes.DOUBLE);
  private static final DataField DECIMAL = DataField.of(3, "m", DataTypes.decimal(10, 2));
  private static final DataField TIME = DataField.of(4, "ts", DataTypes.timestamp(6));
  private static final DataField NANOS = DataField.of(5, "ns", DataTypes.timestamp(9));
  private static final DataField FIXED = DataField.of(6, "c", DataTypes.sized(TypeRoot.CHAR, 3));
  private static final DataField FLAG = DataField.of(7, "f", DataTypes.BOOLEAN);
  private static final DataField BINARY = DataField.of(8, "b", DataTypes.BYTES);
  private static final SparkPredicates PREDICATES =
      new SparkPredicates(
          RowType.of(List.of(INT, TEXT, DOUBLE, DECIMAL, TIME, NANOS, FIXED, FLAG, BINARY)));

  private static Expression column(String name) {
    return Expressions.column(name);
  }

  private static Expression literal(@Nullable Object value, DataType type) {
    return new LiteralValue<>(value, type);
  }

  private static Expression intLiteral(@Nullable Integer value) {
    return literal(value, org.apache.spark.sql.types.DataTypes.IntegerType);
  }

  private static Expression predicate(String name, Expression... children) {
    return new org.apache.spark.sql.connector.expressions.filter.Predicate(name, children);
  }

  private static Leaf leaf(DataField field, Operator operator, Object... values) {
    return new Leaf(field, operator, Arrays.asList(values));
  }

  private static Optional<Predicate> exact(Expression expression) {
    return PREDICATES.exact(expression);
  }

  @Test
  void comparisonsAreTakenOver() {
    assertThat(exact(predicate("<", column("i"), intLiteral(5))))
        .contains(leaf(INT, Operator.LESS, 5));
    assertThat(exact(predicate(">=", intLiteral(5), column("i"))))
        .contains(leaf(INT, Operator.LESS_OR_EQUAL, 5));
    assertThat(
            exact(
                predicate(
                    "STARTS_WITH",
                    column("s"),
                    literal(
                        UTF8String.fromString("ab"),
                        org.apache.spark.sql.types.DataTypes.StringType))))
        .contains(leaf(TEXT, Operator.STARTS_WITH, "ab"));
    assertThat(
            exact(
                predicate(
                    "=",
                    column("b"),
                    literal(new byte[] {1, 2}, org.apache.spark.sql.types.DataTypes.BinaryType))))
        .contains(leaf(BINARY, Operator.EQUAL, Bytes.copyOf(new byte[] {1, 2})));
  }

  @Test
  void notGoesDownToTheLeaves() {
    Expression both =
        predicate(
            "AND", predicate("=", column("i"), intLiteral(1)), predicate("IS_NULL", column("s")));

    assertThat(exact(predicate("NOT", both)))
        .contains(
            new Predicate.Or(
                List.of(leaf(INT, Operator.NOT_EQUAL, 1), leaf(TEXT, Operator.IS_NOT_NULL))));
    assertThat(exact(predicate("NOT", predicate("NOT", predicate("IS_NULL", column("i"))))))
        .contains(leaf(INT, Operator.IS_NULL));
  }

  @Test
  void nullsInListsFollowSql() {
    Expression in = predicate("IN", column("i"), intLiteral(1), intLiteral(null), intLiteral(2));

    assertThat(exact(in)).contains(leaf(INT, Operator.IN, 1, 2));
    assertThat(exact(predicate("NOT", in))).isEmpty();
    assertThat(exact(predicate("NOT", predicate("IN", column("i"), intLiteral(1)))))
        .contains(leaf(INT, Operator.NOT_IN, 1));
  }

  @Test
  void nullSafeEqualityTellsNullApart() {
    assertThat(exact(predicate("<=>", column("i"), intLiteral(null))))
        .contains(leaf(INT, Operator.IS_NULL));
    assertThat(exact(predicate("NOT", predicate("<=>", column("i"), intLiteral(3)))))
        .contains(
            new Predicate.Or(
                List.of(leaf(INT, Operator.NOT_EQUAL, 3), leaf(INT, Operator.IS_NULL))));
  }

  @Test
  void zeroOfEitherSignIsEqual() {
    DataType type = org.apache.spark.sql.types.DataTypes.DoubleType;

    assertThat(exact(predicate("=", column("d"), literal(0.0, type))))
        .contains(leaf(DOUBLE, Operator.IN, -0.0, 0.0));
    assertThat(exact(predicate(">=", column("d"), literal(0.0, type))))
        .contains(leaf(DOUBLE, Operator.GREATER_OR_EQUAL, -0.0));
    assertThat(exact(predicate("<=", column("d"), literal(-0.0, type))))
        .contains(leaf(DOUBLE, Operator.LESS_OR_EQUAL, 0.0));
    assertThat(exact(predicate("=", column("d"), literal(Double.NaN, type)))).isEmpty();
  }

  @Test
  void decimalsTakeTheScaleOfTheColumnOrAreLeftOut() {
    DataType type = org.apache.spark.sql.types.DataTypes.createDecimalType(11, 3);

    assertThat(exact(predicate("=", column("m"), literal(Decimal.apply("1.500"), type))))
        .contains(leaf(DECIMAL, Operator.EQUAL, new BigDecimal("1.50")));
    assertThat(exact(predicate("=", column("m"), literal(Decimal.apply("1.505"), type)))).isEmpty();
  }

  @Test
  void whatWouldCompareOtherwiseInSparkIsLeftOut() {
    DataType time = org.apache.spark.sql.types.DataTypes.TimestampNTZType;
    DataType text = org.apache.spark.sql.types.DataTypes.StringType;

    assertThat(exact(predicate("=", column("ts"), literal(1_000_001L, time))))
        .contains(leaf(TIME, Operator.EQUAL, new Timestamp(1000, 1000)));
    assertThat(exact(predicate("=", column("ns"), literal(1_000_001L, time)))).isEmpty();
    assertThat(exact(predicate("IS_NULL", column("ns")))).contains(leaf(NANOS, Operator.IS_NULL));
    assertThat(exact(predicate("=", column("c"), literal(UTF8String.fromString("a"), text))))
        .isEmpty();
    assertThat(
            exact(
                predicate(
                    "=", column("i"), literal(1L, org.apache.spark.sql.types.DataTypes.LongType))))
        .isEmpty();
  }

  @Test
  void booleanColumnIsAConditionItself() {
    assertThat(exact(predicate("BOOLEAN_EXPRESSION", column("f"))))
        .contains(leaf(FLAG, Operator.EQUAL, true));
    assertThat(exact(predicate("NOT", column("f")))).contains(leaf(FLAG, Operator.EQUAL, false));
  }

  @Test
  void partOfAConjunctionStillSkips() {
    Expression known = predicate("=", column("i"), intLiteral(1));
    Expression unknown =
        predicate(
            "CONTAINS",
            column("s"),
            literal(UTF8String.fromString("x"), org.apache.spark.sql.types.DataTypes.StringType));

    assertThat(exact(predicate("AND", known, unknown))).isEmpty();
    assertThat(PREDICATES.weakened(predicate("AND", known, unknown)))
        .contains(leaf(INT, Operator.EQUAL, 1));
    assertThat(PREDICATES.weakened(predicate("OR", known, unknown))).isEmpty();
    assertThat(PREDICATES.weakened(predicate("NOT", predicate("OR", known, unknown))))
        .contains(leaf(INT, Operator.NOT_EQUAL, 1));
    assertThat(PREDICATES.weakened(predicate("NOT", predicate("AND", known, unknown)))).isEmpty();
  }

  @Test
  void nestedColumnsAreLeftOut() {
    assertThat(exact(predicate("IS_NULL", Expressions.column("s.x")))).isEmpty();
  }
}
