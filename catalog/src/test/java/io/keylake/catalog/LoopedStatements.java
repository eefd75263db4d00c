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

package io.keylake.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The statements that writers repeat in a loop, known by who writes and how many there were before.
 * Each holds a mark, a row with a key of the writer's own whose value is the statement's number, so
 * that every snapshot tells which statements it holds.
 *
 * @param kind what the table is like
 * @param seed of the rows
 */
record LoopedStatements(Kind kind, long seed) {
  /** What a table does with rows of equal key. */
  enum Kind {
    /** The last one stays. */
    KEYED,
    /** All stay; keys are never used again. */
    APPENDED
  }

  static final StructType ROWS =
      new StructType().add("k", DataTypes.IntegerType, false).add("v", DataTypes.IntegerType);

  private static final int SHARED_KEYS = 100;
  private static final int OWN_KEYS = 100;

  /** The key of a writer's mark. */
  static int mark(int writer) {
    return -1 - writer;
  }

  /** Keys and values of a statement; numbers count from 1. */
  Map<Integer, Integer> rows(int writer, int number) {
    Random random = new Random(seed * 31 + writer * 1_000_003L + number);
    Map<Integer, Integer> rows = new LinkedHashMap<>();
    int count = 1 + random.nextInt(number % 10 == 0 ? 400 : 40);
    for (int i = 0; i < count; i++) {
      int key =
          switch (kind) {
            case APPENDED -> (writer + 1) * 100_000_000 + number * 1000 + i;
            case KEYED ->
                random.nextBoolean()
                    ? random.nextInt(SHARED_KEYS)
                    : (writer + 1) * 1000 + random.nextInt(OWN_KEYS);
          };
      rows.put(key, random.nextInt(1_000_000));
    }
    rows.put(mark(writer), number);
    return rows;
  }

  List<Row> sparkRows(int writer, int number) {
    List<Row> rows = new ArrayList<>();
    rows(writer, number).forEach((key, value) -> rows.add(RowFactory.create(key, value)));
    return rows;
  }
}
