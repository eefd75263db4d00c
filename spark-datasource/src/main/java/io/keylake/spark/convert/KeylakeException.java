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

package io.keylake.spark.convert;

import io.keylake.format.errors.Condition;
import java.util.Map;
import org.apache.spark.BreakingChangeInfo;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkRuntimeException;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A failure as Spark reports it: the condition {@code KEYLAKE_...}, its SQLSTATE and a message that
 * reads {@code [CONDITION] what, where, what to do SQLSTATE: 12345}. Made by {@link SparkErrors}
 * only.
 *
 * <p>It is a {@link SparkRuntimeException} because PySpark and Spark Connect know the classes of
 * Spark only: they show this one as their own, with its condition and SQLSTATE. That class asks for
 * a condition of Spark's list; nobody sees it, since all that tells it is overridden.
 */
public final class KeylakeException extends SparkRuntimeException {
  private static final long serialVersionUID = 1L;

  /** The one of Spark's conditions that stands for errors of others. */
  private static final String SPARK_CONDITION = "USER_RAISED_EXCEPTION";

  private final Condition condition;
  private final String text;

  KeylakeException(Condition condition, String text, @Nullable Throwable cause) {
    super(SPARK_CONDITION, parameters(text), cause, new QueryContext[0], "");
    this.condition = condition;
    this.text = text;
  }

  private static scala.collection.immutable.Map<String, String> parameters(String text) {
    return scala.collection.immutable.Map.from(
        CollectionConverters.asScala(Map.of("errorMessage", text)));
  }

  @Override
  public String getMessage() {
    return "[" + condition.name() + "] " + text + " SQLSTATE: " + condition.sqlState();
  }

  /** The message without condition and SQLSTATE. */
  public String text() {
    return text;
  }

  @Override
  public String getCondition() {
    return condition.name();
  }

  @Override
  public String getSqlState() {
    return condition.sqlState();
  }

  @Override
  public boolean isInternalError() {
    return false;
  }

  @Override
  public @Nullable BreakingChangeInfo getBreakingChangeInfo() {
    return null;
  }

  @Override
  public Map<String, String> getMessageParameters() {
    return Map.of();
  }

  @Override
  public String getDefaultMessageTemplate() {
    return text;
  }

  @Override
  public QueryContext[] getQueryContext() {
    return new QueryContext[0];
  }
}
