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

package io.keylake.runtime;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A user's program in {@link StockSpark}: runs each argument as a statement and prints its rows.
 */
public final class SqlProgram {
  private SqlProgram() {}

  /** Prints the rows of the results, one a line, columns separated by a bar. */
  public static void main(String[] statements) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    for (String statement : statements) {
      for (Row row : spark.sql(statement).collectAsList()) {
        System.out.println(row.mkString("|"));
      }
    }
    spark.stop();
  }
}
