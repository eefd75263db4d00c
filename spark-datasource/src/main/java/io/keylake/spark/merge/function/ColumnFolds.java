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

package io.keylake.spark.merge.function;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.merge.function.nested.NestedFolds;
import io.keylake.spark.vector.ValueOrder;
import io.keylake.spark.vector.VectorCopy;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;

/** Finds the fold of a column. */
public final class ColumnFolds {
  private ColumnFolds() {}

  /**
   * The fold of a column by its rule.
   *
   * @param table the table's name, for messages
   */
  public static ColumnFold of(String table, DataField column, ColumnRule rule) {
    AggregateFunction function = rule.function();
    if (function instanceof Plain plain) {
      return plain(FoldedColumn.of(table, column, function), column, plain, rule);
    } else if (function instanceof AggregateFunction.ListAgg list) {
      return new ListAggFold(FoldedColumn.of(table, column, function), list, rule.skipsRetracts());
    }
    return NestedFolds.of(table, column, rule);
  }

  private static ColumnFold plain(
      FoldedColumn folded, DataField column, Plain function, ColumnRule rule) {
    boolean skips = rule.skipsRetracts();
    return switch (function) {
      case KEY -> choice(column, VersionChoices::key);
      case GROUP_ORDER -> choice(column, VersionChoices::groupOrder);
      case GROUP_VALUE -> choice(column, VersionChoices::groupValue);
      case LAST_VALUE -> choice(column, new VersionChoices.LastValue(skips));
      case LAST_NON_NULL_VALUE -> choice(column, new VersionChoices.LastNonNullValue(skips));
      case FIRST_VALUE -> choice(column, new VersionChoices.FirstValue(folded, skips));
      case FIRST_NON_NULL_VALUE ->
          choice(column, new VersionChoices.FirstNonNullValue(folded, skips));
      case MAX -> choice(column, new ExtremeChoice(folded, skips, 1, ValueOrder.of(column.type())));
      case MIN ->
          choice(column, new ExtremeChoice(folded, skips, -1, ValueOrder.of(column.type())));
      case SUM, PRODUCT -> number(folded, (AtomicType) column.type(), function, skips);
      case BOOL_AND -> new BooleanFold(folded, false, skips);
      case BOOL_OR -> new BooleanFold(folded, true, skips);
      case MERGE_MAP, ROARING_32, ROARING_64, HLL_SKETCH, THETA_SKETCH ->
          NestedFolds.of(folded.table(), column, rule);
    };
  }

  private static ColumnFold choice(DataField column, VersionChoice choice) {
    return new ChoiceFold(choice, new VectorCopy(SparkTypes.toSpark(column.name(), column.type())));
  }

  private static ColumnFold number(
      FoldedColumn folded, AtomicType type, Plain function, boolean skips) {
    Arithmetic arithmetic = function == Plain.SUM ? Arithmetic.SUM : Arithmetic.PRODUCT;
    return switch (type.root()) {
      case TINYINT -> new IntegerFold(folded, IntegerWidth.BYTE, arithmetic, skips);
      case SMALLINT -> new IntegerFold(folded, IntegerWidth.SHORT, arithmetic, skips);
      case INT -> new IntegerFold(folded, IntegerWidth.INT, arithmetic, skips);
      case BIGINT -> new IntegerFold(folded, IntegerWidth.LONG, arithmetic, skips);
      case FLOAT -> new FloatingFold(FloatingFold.Width.SINGLE, arithmetic, skips);
      case DOUBLE -> new FloatingFold(FloatingFold.Width.DOUBLE, arithmetic, skips);
      case DECIMAL ->
          arithmetic == Arithmetic.SUM && type.precision() <= IntegerWidth.MAX_DIGITS
              ? new CompactDecimalSum(IntegerWidth.ofDigits(type.precision()), skips)
              : new DecimalFold(folded, type, arithmetic, skips);
      case BOOLEAN,
          CHAR,
          VARCHAR,
          BINARY,
          VARBINARY,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ,
          VARIANT,
          BLOB,
          ARRAY,
          MAP,
          MULTISET,
          ROW,
          VECTOR ->
          throw new IllegalArgumentException("No " + function + " of " + type.root());
    };
  }
}
