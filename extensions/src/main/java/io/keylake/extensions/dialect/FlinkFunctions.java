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

package io.keylake.extensions.dialect;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.SparkErrors;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.CreateStruct;
import org.apache.spark.sql.catalyst.expressions.CurrentTimestamp;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Seq;

/** Functions of Flink that have another name here: {@code ROW(a, b)} and {@code PROCTIME()}. */
public final class FlinkFunctions {
  private FlinkFunctions() {}

  /** Adds the functions to a session. */
  public static void inject(SparkSessionExtensions extensions) {
    inject(extensions, "row", CreateStruct::create);
    inject(extensions, "proctime", FlinkFunctions::now);
  }

  private static Expression now(Seq<Expression> arguments) {
    if (!arguments.isEmpty()) {
      throw SparkErrors.failure(
          Condition.KEYLAKE_INVALID_REQUEST, "The function PROCTIME takes no arguments.");
    }
    return new CurrentTimestamp();
  }

  private static void inject(
      SparkSessionExtensions extensions, String name, Function1<Seq<Expression>, Expression> made) {
    extensions.injectFunction(
        new Tuple3<>(
            new FunctionIdentifier(name),
            new ExpressionInfo(FlinkFunctions.class.getName(), name),
            made));
  }
}
