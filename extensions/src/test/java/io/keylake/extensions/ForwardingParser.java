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

package io.keylake.extensions;

import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/** A parser on top of another one, as extensions have it. */
class ForwardingParser implements ParserInterface {
  private final ParserInterface below;

  ForwardingParser(ParserInterface below) {
    this.below = below;
  }

  final ParserInterface below() {
    return below;
  }

  @Override
  public LogicalPlan parsePlan(String sqlText) throws ParseException {
    return below.parsePlan(sqlText);
  }

  @Override
  public final Expression parseExpression(String sqlText) throws ParseException {
    return below.parseExpression(sqlText);
  }

  @Override
  public final TableIdentifier parseTableIdentifier(String sqlText) throws ParseException {
    return below.parseTableIdentifier(sqlText);
  }

  @Override
  public final FunctionIdentifier parseFunctionIdentifier(String sqlText) throws ParseException {
    return below.parseFunctionIdentifier(sqlText);
  }

  @Override
  public final Seq<String> parseMultipartIdentifier(String sqlText) throws ParseException {
    return below.parseMultipartIdentifier(sqlText);
  }

  @Override
  public final LogicalPlan parseQuery(String sqlText) throws ParseException {
    return below.parseQuery(sqlText);
  }

  @Override
  public final StructType parseRoutineParam(String sqlText) throws ParseException {
    return below.parseRoutineParam(sqlText);
  }

  @Override
  public final StructType parseTableSchema(String sqlText) throws ParseException {
    return below.parseTableSchema(sqlText);
  }

  @Override
  public final DataType parseDataType(String sqlText) throws ParseException {
    return below.parseDataType(sqlText);
  }
}
