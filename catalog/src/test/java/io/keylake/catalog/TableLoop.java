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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;

/**
 * Writes to tables in turns until it is told to stop. A write that meets another one is repeated;
 * that has to be a named condition.
 */
final class TableLoop {
  /** Told of each statement. */
  interface Watch {
    /** A statement begins. */
    void begins() throws IOException;

    /** A statement has ended, the {@code number}-th of its table. */
    void committed(String table, int number) throws Exception;
  }

  /** The condition of writes that meet another one. */
  static final String CONFLICT = "KEYLAKE_CONCURRENT_MODIFICATION";

  /** Statements that a table gets in any case, however slow the machine is. */
  private static final int AT_LEAST = 6;

  private final SparkSession spark;
  private final long seed;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Map<String, Integer> done = new TreeMap<>();
  private int repeated;

  TableLoop(SparkSession spark, long seed) {
    this.spark = spark;
    this.seed = seed;
  }

  /** Ends the loop, once each table got some statements. */
  void stop() {
    stopped.set(true);
  }

  /** How many statements each table got, and how many were repeated. */
  String report() {
    return done + " repeated " + repeated;
  }

  /** Statements that a table got from this loop. */
  int done(String table) {
    return done.getOrDefault(table, 0);
  }

  /** Writes, and nobody is told. */
  void upsert(int writer, List<String> tables) throws Exception {
    upsert(
        writer,
        tables,
        new Watch() {
          @Override
          public void begins() {}

          @Override
          public void committed(String table, int number) {}
        });
  }

  void upsert(int writer, List<String> tables, Watch watch) throws Exception {
    while (!stopped.get() || done(tables.get(0)) < AT_LEAST) {
      for (String table : tables) {
        int number = done(table) + 1;
        watch.begins();
        while (!upserted(table, kind(table), writer, number)) {
          repeated++;
        }
        done.put(table, number);
        watch.committed(table, number);
      }
    }
  }

  /** Tables of appended rows are named so. */
  static LoopedStatements.Kind kind(String table) {
    return table.contains("append") ? LoopedStatements.Kind.APPENDED : LoopedStatements.Kind.KEYED;
  }

  private boolean upserted(String table, LoopedStatements.Kind kind, int writer, int number)
      throws NoSuchTableException {
    try {
      spark
          .createDataFrame(
              new LoopedStatements(kind, seed).sparkRows(writer, number), LoopedStatements.ROWS)
          .coalesce(1)
          .writeTo("lake.db." + table)
          .append();
      return true;
    } catch (RuntimeException e) {
      if (String.valueOf(e.getMessage()).contains(CONFLICT)) {
        return false;
      }
      throw e;
    }
  }
}
