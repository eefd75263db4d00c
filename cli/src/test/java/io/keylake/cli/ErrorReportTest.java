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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkRuntimeException;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

final class ErrorReportTest {
  @Test
  void namedFailureHasConditionStateAndMessage() {
    ErrorReport report =
        ErrorReport.of(
            new InvalidRequestException(
                Condition.KEYLAKE_INVALID_OPTION, "The option bucket is 'many'. Use a number."));

    assertThat(report)
        .hasToString(
            "ERROR KEYLAKE_INVALID_OPTION (SQLSTATE 22023)"
                + System.lineSeparator()
                + "The option bucket is 'many'. Use a number.");
  }

  @Test
  void deepestNamedFailureIsReported() {
    Exception inner =
        new InvalidRequestException(Condition.KEYLAKE_INVALID_VALUE, "Column id is NULL.");
    Exception outer = new SparkException("Job aborted", new RuntimeException("task", inner));

    assertThat(ErrorReport.of(outer).condition()).isEqualTo("KEYLAKE_INVALID_VALUE");
  }

  @Test
  void sparksOwnConditionIsNotRepeatedInTheMessage() {
    SparkRuntimeException failure =
        new SparkRuntimeException(
            "DIVIDE_BY_ZERO",
            scala.collection.immutable.Map$.MODULE$.from(
                CollectionConverters.asScala(Map.of("config", "\"x\""))),
            null,
            new QueryContext[0],
            "");

    ErrorReport report = ErrorReport.of(failure);

    assertThat(report.condition()).isEqualTo("DIVIDE_BY_ZERO");
    assertThat(report.sqlState()).contains("22012");
    assertThat(report.message()).startsWith("Division by zero");
  }

  @Test
  void unnamedFailureShowsItsClassAndRootCause() {
    ErrorReport report =
        ErrorReport.of(new RuntimeException("outer", new IllegalStateException("inner")));

    assertThat(report)
        .isEqualTo(new ErrorReport("java.lang.IllegalStateException", Optional.empty(), "inner"));
  }
}
