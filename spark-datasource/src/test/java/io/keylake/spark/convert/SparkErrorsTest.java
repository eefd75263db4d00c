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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.junit.jupiter.api.Test;

final class SparkErrorsTest {
  @Test
  void failureKeepsConditionStateMessageAndCause() {
    InvalidRequestException cause =
        new InvalidRequestException(Condition.KEYLAKE_INVALID_OPTION, "Say 1, not 'x'.");

    assertThatThrownBy(
            () ->
                SparkErrors.translate(
                    () -> {
                      throw cause;
                    }))
        .isInstanceOfSatisfying(
            KeylakeException.class,
            failure -> {
              assertThat(failure)
                  .hasMessage("[KEYLAKE_INVALID_OPTION] Say 1, not 'x'. SQLSTATE: 22023")
                  .hasCause(cause);
              assertThat(failure.getCondition()).isEqualTo("KEYLAKE_INVALID_OPTION");
              assertThat(failure.getSqlState()).isEqualTo("22023");
              assertThat(failure.text()).isEqualTo("Say 1, not 'x'.");
            });
  }

  @Test
  void missingTableIsSparksOwnError() {
    SparkThrowable failure = SparkErrors.noSuchTable(Identifier.of(new String[] {"db"}, "missing"));

    assertThat(failure.getCondition()).isEqualTo("TABLE_OR_VIEW_NOT_FOUND");
  }
}
