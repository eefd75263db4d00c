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

package io.keylake.spark.write;

import io.keylake.format.types.DataType;
import io.keylake.spark.write.HistoryValues.Value;
import java.util.Map;
import java.util.Random;

/**
 * What a column of values holds and how its values combine.
 *
 * @param function the aggregate function; empty = what the engine does without one
 * @param type the type of the column
 * @param settings options of the function: what follows {@code fields.<column>.}, and the value
 * @param retracts whether the function can take values back
 * @param comparison when two values of the column are equal
 * @param values random values that are not NULL
 */
record EngineColumn(
    String function,
    DataType type,
    Map<String, String> settings,
    boolean retracts,
    Comparison comparison,
    ValueSource values) {

  /** Makes values. */
  interface ValueSource {
    Value next(Random random);
  }

  /** When two values are equal. */
  enum Comparison {
    /** Their canonical text is. */
    TEXT,
    /** Spark has integers where the reference has times. */
    TIME,
    /** They have the same elements in any order: the order comes from a hash table. */
    ELEMENTS,
    /** They are bitmaps of the same integers: there are several ways to store one. */
    ROARING_32,
    ROARING_64,
    /** They are sketches with the same estimate: what is stored depends on the union's order. */
    HLL,
    THETA
  }

  static EngineColumn plain(String function, DataType type, boolean retracts, ValueSource values) {
    Comparison comparison =
        type.root() == io.keylake.format.types.TypeRoot.TIME ? Comparison.TIME : Comparison.TEXT;
    return new EngineColumn(function, type, Map.of(), retracts, comparison, values);
  }

  EngineColumn with(Map<String, String> newSettings, Comparison newComparison) {
    return new EngineColumn(function, type, newSettings, retracts, newComparison, values);
  }
}
