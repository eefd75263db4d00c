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
import org.apache.spark.SparkThrowable;
import org.jspecify.annotations.Nullable;

/**
 * A failure as Spark reports it: the condition {@code KEYLAKE_...}, its SQLSTATE and a message that
 * reads {@code [CONDITION] what, where, what to do SQLSTATE: 12345}. Made by {@link SparkErrors}
 * only.
 */
public final class KeylakeException extends RuntimeException implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final Condition condition;
  private final String text;

  KeylakeException(Condition condition, String text, @Nullable Throwable cause) {
    super("[" + condition.name() + "] " + text + " SQLSTATE: " + condition.sqlState(), cause);
    this.condition = condition;
    this.text = text;
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
