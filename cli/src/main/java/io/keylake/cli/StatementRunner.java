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
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** Runs statements one after the other and prints their rows. For one thread. */
final class StatementRunner {
  private final SparkSession spark;
  private final RowPrinter printer;
  private final PrintStream out;

  StatementRunner(SparkSession spark, RowPrinter printer, PrintStream out) {
    this.spark = spark;
    this.printer = printer;
    this.out = out;
  }

  /** Runs every statement of a script; the first that fails ends it with its exception. */
  void runScript(String script) {
    StatementSplitter.split(script).forEach(this::run);
  }

  /** Runs one statement. A statement without a result prints nothing. */
  void run(String statement) {
    Dataset<Row> result = spark.sql(statement);
    StructType columns = result.schema();
    if (columns.length() == 0) {
      return;
    }
    Dataset<Row> prepared = printer.prepare(result);
    QueryExecution execution =
        ((org.apache.spark.sql.classic.Dataset<Row>) prepared).queryExecution();
    SQLExecution.withNewExecutionId(
        execution,
        Option.apply("keylake"),
        () -> {
          Iterator<InternalRow> rows =
              CollectionConverters.asJava(execution.executedPlan().executeToIterator());
          printer.print(rows, prepared.schema(), columns, out);
          return BoxedUnit.UNIT;
        });
    out.flush();
  }
}
