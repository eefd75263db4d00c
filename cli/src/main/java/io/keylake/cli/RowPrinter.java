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

package io.keylake.cli;

import java.io.PrintStream;
import java.util.Iterator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Prints the rows of one result. Stateless. */
interface RowPrinter {
  /** The query whose rows {@link #print} wants, with as many columns as {@code result}. */
  Dataset<Row> prepare(Dataset<Row> result);

  /**
   * Prints the rows of the prepared query, whose columns have the types of {@code prepared}, and
   * the names of {@code result}. The iterator may hand out one object again and again.
   */
  void print(Iterator<InternalRow> rows, StructType prepared, StructType result, PrintStream out);
}
