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

import io.keylake.format.errors.TableException;
import java.util.Optional;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/**
 * What a user is told of a failed statement.
 *
 * @param condition the stable name of the failure, or the class of the exception
 * @param sqlState five characters, empty when the failure has none
 * @param message what, where and what to do
 */
record ErrorReport(String condition, Optional<String> sqlState, String message) {
  /**
   * The report of the deepest named failure in the chain of causes: what wraps it only says that a
   * task or a job failed because of it.
   */
  static ErrorReport of(Throwable failure) {
    ErrorReport named = null;
    Throwable last = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<ErrorReport> report = named(cause);
      if (report.isPresent()) {
        named = report.get();
      }
      last = cause;
    }
    return named != null
        ? named
        : new ErrorReport(last.getClass().getName(), Optional.empty(), text(last));
  }

  /** The report as it is printed. */
  @Override
  public String toString() {
    String head = sqlState.map(state -> condition + " (SQLSTATE " + state + ")").orElse(condition);
    return "ERROR " + head + System.lineSeparator() + message;
  }

  private static Optional<ErrorReport> named(Throwable failure) {
    if (failure instanceof TableException table) {
      return Optional.of(
          new ErrorReport(
              table.condition().name(), Optional.of(table.condition().sqlState()), text(failure)));
    }
    if (failure instanceof SparkThrowable spark && spark.getCondition() != null) {
      Optional<String> state = Optional.ofNullable(spark.getSqlState());
      String message = withoutPrefix(text(failure), spark.getCondition());
      return Optional.of(new ErrorReport(spark.getCondition(), state, message));
    }
    return Optional.empty();
  }

  private static String withoutPrefix(String message, String condition) {
    String prefix = "[" + condition + "] ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  /** The message; of an analysis failure without the plan that Spark appends. */
  private static String text(Throwable failure) {
    if (failure instanceof AnalysisException analysis) {
      return analysis.getSimpleMessage();
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
