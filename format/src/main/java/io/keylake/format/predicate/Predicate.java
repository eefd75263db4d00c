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

import io.keylake.format.types.DataField;
import java.io.Serializable;
import java.util.List;

/**
 * A condition on a row, as far as it can be tested on statistics, partitions, keys and file
 * indexes. Three-valued like SQL: a row is selected only when the condition is true. Columns are
 * named by field id, so a predicate outlives renames. Literals are Java values: Boolean, Byte,
 * Short, Integer (also DATE: days, TIME: milliseconds), Long, Float, Double, BigDecimal (with the
 * column's scale), String, {@link io.keylake.format.row.Bytes}, {@link
 * io.keylake.format.row.Timestamp}; never null.
 */
public sealed interface Predicate extends Serializable
    permits Predicate.And, Predicate.Or, Predicate.Leaf {
  /** What a leaf asks of its column. NOT_EQUAL and NOT_IN are not true for NULL. */
  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    IN,
    NOT_IN,
    IS_NULL,
    IS_NOT_NULL,
    STARTS_WITH
  }

  /**
   * All of the parts.
   *
   * @param parts at least one
   */
  record And(List<Predicate> parts) implements Predicate {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public And {
      parts = List.copyOf(parts);
    }
  }

  /**
   * One of the parts.
   *
   * @param parts at least one
   */
  record Or(List<Predicate> parts) implements Predicate {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public Or {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A comparison of a top-level column with literals.
   *
   * @param field the column, with the type in which the literals are given
   * @param operator the comparison
   * @param literals none for the null tests, one or more for IN and NOT_IN, one otherwise
   */
  record Leaf(DataField field, Operator operator, List<Object> literals) implements Predicate {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public Leaf {
      literals = List.copyOf(literals);
    }
  }
}
