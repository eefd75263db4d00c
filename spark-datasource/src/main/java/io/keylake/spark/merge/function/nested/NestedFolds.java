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

package io.keylake.spark.merge.function.nested;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.spark.merge.function.ColumnFold;
import io.keylake.spark.merge.function.FoldedColumn;
import io.keylake.table.options.engine.AggregateFunction;
import io.keylake.table.options.engine.AggregateFunction.Collect;
import io.keylake.table.options.engine.AggregateFunction.MergeMapWithKeyTime;
import io.keylake.table.options.engine.AggregateFunction.NestedPartialUpdate;
import io.keylake.table.options.engine.AggregateFunction.NestedUpdate;
import io.keylake.table.options.engine.AggregateFunction.Plain;
import io.keylake.table.options.engine.ColumnRule;
import java.util.Optional;

/** Finds the folds of arrays, maps, bitmaps and sketches. */
public final class NestedFolds {
  private NestedFolds() {}

  /**
   * The fold of a column by its rule.
   *
   * @param table the table's name, for messages
   * @param rule a rule with one of the functions of this package
   */
  public static ColumnFold of(String table, DataField column, ColumnRule rule) {
    return new StepFold(
        accumulation(FoldedColumn.of(table, column, rule.function()), column, rule.function()),
        rule);
  }

  private static Accumulation accumulation(
      FoldedColumn name, DataField column, AggregateFunction function) {
    if (function instanceof Collect collect) {
      ArrayType type = (ArrayType) column.type();
      return new ListAccumulation(
          new CollectRules(type.element(), collect.distinct()), ElementCopy.ofArray(name, type));
    } else if (function instanceof NestedUpdate nested) {
      ArrayType type = (ArrayType) column.type();
      return new ListAccumulation(
          new NestedRowRules((RowType) type.element(), nested.keys(), nested.countLimit()),
          ElementCopy.ofArray(name, type));
    } else if (function instanceof NestedPartialUpdate nested) {
      NestedFieldRules rules =
          new NestedFieldRules(
              name, (RowType) ((ArrayType) column.type()).element(), nested.keys());
      return new ListAccumulation(rules, rules);
    } else if (function instanceof MergeMapWithKeyTime map) {
      MapType type = (MapType) column.type();
      return new ListAccumulation(
          new TimedMapRules(name, type, map.timeField()), ElementCopy.ofMap(name, type));
    }
    return plain(name, column, (Plain) function);
  }

  /** How stored sets are united; empty for other functions. */
  static Optional<BytesUnion<?>> union(AggregateFunction function) {
    if (function == Plain.ROARING_32) {
      return Optional.of(new Roaring32Union());
    } else if (function == Plain.ROARING_64) {
      return Optional.of(new Roaring64Union());
    } else if (function == Plain.HLL_SKETCH) {
      return Optional.of(new HllUnion());
    }
    return function == Plain.THETA_SKETCH ? Optional.of(new ThetaUnion()) : Optional.empty();
  }

  private static Accumulation plain(FoldedColumn name, DataField column, Plain function) {
    return switch (function) {
      case MERGE_MAP -> {
        MapType type = (MapType) column.type();
        yield new ListAccumulation(new MapRules(type), ElementCopy.ofMap(name, type));
      }
      case ROARING_32, ROARING_64, HLL_SKETCH, THETA_SKETCH ->
          new UnionAccumulation<>(name, union(function).orElseThrow());
      case KEY,
          GROUP_ORDER,
          GROUP_VALUE,
          SUM,
          PRODUCT,
          MAX,
          MIN,
          LAST_VALUE,
          LAST_NON_NULL_VALUE,
          FIRST_VALUE,
          FIRST_NON_NULL_VALUE,
          BOOL_AND,
          BOOL_OR ->
          throw new IllegalArgumentException(function + " folds whole values");
    };
  }
}
