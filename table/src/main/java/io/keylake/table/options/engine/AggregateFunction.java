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

package io.keylake.table.options.engine;

import java.io.Serializable;
import java.util.List;

/**
 * What one value and the next become.
 *
 * <p>Rule source: table behaviour, aggregate functions.
 */
public sealed interface AggregateFunction extends Serializable {
  /** Functions without settings. */
  enum Plain implements AggregateFunction {
    /** A column of the primary key: the value that all rows of a key have. */
    KEY,
    /**
     * A column that orders a sequence group: the value of the latest row, NULL included, of any
     * kind.
     */
    GROUP_ORDER,
    /**
     * A column of a sequence group without a function: the value of the latest row, NULL included;
     * retracted by the latest row it is NULL, late rows leave it.
     */
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
    BOOL_OR,
    MERGE_MAP,
    ROARING_32,
    ROARING_64,
    HLL_SKETCH,
    THETA_SKETCH;

    @Override
    public boolean canRetract() {
      return switch (this) {
        case KEY,
            GROUP_ORDER,
            GROUP_VALUE,
            SUM,
            PRODUCT,
            LAST_VALUE,
            LAST_NON_NULL_VALUE,
            MERGE_MAP ->
            true;
        case MAX,
            MIN,
            FIRST_VALUE,
            FIRST_NON_NULL_VALUE,
            BOOL_AND,
            BOOL_OR,
            ROARING_32,
            ROARING_64,
            HLL_SKETCH,
            THETA_SKETCH ->
            false;
      };
    }
  }

  /** Whether a value can be taken back that was folded in before. */
  boolean canRetract();

  /**
   * Texts one after the other.
   *
   * @param delimiter what is between two
   * @param distinct whether parts that are there already are left out
   */
  record ListAgg(String delimiter, boolean distinct) implements AggregateFunction {
    @Override
    public boolean canRetract() {
      return false;
    }
  }

  /**
   * Elements of arrays in one array.
   *
   * @param distinct whether elements that are there already are left out
   */
  record Collect(boolean distinct) implements AggregateFunction {
    @Override
    public boolean canRetract() {
      return true;
    }
  }

  /**
   * Maps to rows of which the one with the latest time stays.
   *
   * @param timeField position, in the row, of the time
   */
  record MergeMapWithKeyTime(int timeField) implements AggregateFunction {
    @Override
    public boolean canRetract() {
      return false;
    }
  }

  /**
   * Arrays of rows as a table inside the row.
   *
   * @param keys positions, in the element row, of its key; empty = elements are appended
   * @param countLimit the most elements
   */
  record NestedUpdate(List<Integer> keys, int countLimit) implements AggregateFunction {
    /** Copies the list. */
    public NestedUpdate {
      keys = List.copyOf(keys);
    }

    @Override
    public boolean canRetract() {
      return true;
    }
  }

  /**
   * Arrays of rows as a table inside the row, whose rows are updated field by field.
   *
   * @param keys positions, in the element row, of its key; not empty
   */
  record NestedPartialUpdate(List<Integer> keys) implements AggregateFunction {
    /** Copies the list. */
    public NestedPartialUpdate {
      keys = List.copyOf(keys);
    }

    @Override
    public boolean canRetract() {
      return false;
    }
  }
}
