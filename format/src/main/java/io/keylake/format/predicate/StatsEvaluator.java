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
import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides from statistics whether any of some rows may satisfy a predicate. "No" is a proof, "yes"
 * is not: missing statistics always mean that rows may match.
 *
 * <ol>
 *   <li>Only NULLs: nothing but IS NULL matches. No NULLs: IS NULL does not match.
 *   <li>A comparison is excluded by the bound it contradicts. Bounds of text may be truncated, a
 *       minimum downwards and a maximum upwards, which keeps this right.
 *   <li>NaN is in no bound but counts as the greatest value. So for FLOAT and DOUBLE a maximum
 *       never excludes {@code >}, {@code >=}, {@code <>}, NOT IN or a comparison with NaN, and a
 *       bound that is NaN itself is no bound.
 * </ol>
 *
 * Pinned by {@code StatsEvaluatorTest}. Immutable.
 */
public final class StatsEvaluator {
  private final Predicate predicate;

  private StatsEvaluator(Predicate predicate) {
    this.predicate = predicate;
  }

  /** An evaluator of {@code predicate}. */
  public static StatsEvaluator of(Predicate predicate) {
    return new StatsEvaluator(predicate);
  }

  /**
   * Whether any of {@code rowCount} rows may satisfy the predicate. {@code bounds} is asked for the
   * columns in the type that the predicate names them with.
   */
  public boolean mayMatch(long rowCount, Function<DataField, ValueBounds> bounds) {
    return rowCount > 0 && mayMatch(predicate, rowCount, bounds);
  }

  private static boolean mayMatch(
      Predicate predicate, long rowCount, Function<DataField, ValueBounds> bounds) {
    if (predicate instanceof Leaf leaf) {
      return mayMatch(leaf, rowCount, bounds.apply(leaf.field()));
    }
    for (Predicate part : Predicates.parts(predicate)) {
      boolean partMayMatch = mayMatch(part, rowCount, bounds);
      if (partMayMatch == predicate instanceof Predicate.Or) {
        return partMayMatch;
      }
    }
    return predicate instanceof Predicate.And;
  }

  private static boolean mayMatch(Leaf leaf, long rowCount, ValueBounds bounds) {
    Long nullCount = bounds.nullCount();
    boolean allNull = nullCount != null && nullCount >= rowCount;
    return switch (leaf.operator()) {
      case IS_NULL -> nullCount == null || nullCount > 0;
      case IS_NOT_NULL -> !allNull;
      case EQUAL,
          NOT_EQUAL,
          LESS,
          LESS_OR_EQUAL,
          GREATER,
          GREATER_OR_EQUAL,
          IN,
          NOT_IN,
          STARTS_WITH ->
          !allNull && mayMatch(leaf, bounds);
    };
  }

  private static boolean mayMatch(Leaf leaf, ValueBounds bounds) {
    Range range = Range.of(leaf.field(), bounds);
    Object literal = leaf.literals().get(0);
    return switch (leaf.operator()) {
      case EQUAL -> range.mayContain(literal);
      case IN -> leaf.literals().stream().anyMatch(range::mayContain);
      case NOT_EQUAL, NOT_IN -> leaf.literals().stream().noneMatch(range::isOnly);
      case LESS -> range.mayBeLess(literal);
      case LESS_OR_EQUAL -> range.mayBeLess(literal) || range.mayContain(literal);
      case GREATER -> range.mayBeGreater(literal);
      case GREATER_OR_EQUAL -> range.mayBeGreater(literal) || range.mayContain(literal);
      case STARTS_WITH -> range.mayStartWith((String) literal);
      case IS_NULL, IS_NOT_NULL -> throw new IllegalStateException("No comparison: " + leaf);
    };
  }

  /**
   * The values between two bounds, each of which may be unknown, and NaN where there can be one.
   */
  private record Range(ValueBounds bounds, Comparator<Object> order, boolean mayHoldNan) {
    static Range of(DataField field, ValueBounds bounds) {
      TypeRoot root = field.type().root();
      boolean floating = root == TypeRoot.FLOAT || root == TypeRoot.DOUBLE;
      ValueBounds usable =
          isNan(bounds.min()) || isNan(bounds.max()) ? ValueBounds.UNKNOWN : bounds;
      return new Range(usable, ValueComparator.of(field.type()), floating);
    }

    boolean mayContain(Object literal) {
      return isNan(literal) || !(isBelowMin(literal) || isAboveMax(literal));
    }

    boolean isOnly(Object literal) {
      Object min = bounds.min();
      Object max = bounds.max();
      return !mayHoldNan
          && min != null
          && max != null
          && order.compare(min, literal) == 0
          && order.compare(max, literal) == 0;
    }

    boolean mayBeLess(Object literal) {
      Object min = bounds.min();
      return min == null || order.compare(min, literal) < 0;
    }

    boolean mayBeGreater(Object literal) {
      Object max = bounds.max();
      return mayHoldNan ? !isNan(literal) : max == null || order.compare(max, literal) > 0;
    }

    boolean mayStartWith(String prefix) {
      Object min = bounds.min();
      return !isAboveMax(prefix)
          && (min == null || !isBelowMin(prefix) || ((String) min).startsWith(prefix));
    }

    private boolean isBelowMin(Object literal) {
      Object min = bounds.min();
      return min != null && order.compare(literal, min) < 0;
    }

    private boolean isAboveMax(Object literal) {
      Object max = bounds.max();
      return max != null && order.compare(literal, max) > 0;
    }

    private static boolean isNan(@Nullable Object value) {
      return value instanceof Double number && number.isNaN()
          || value instanceof Float single && single.isNaN();
    }
  }
}
