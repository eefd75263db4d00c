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

package io.keylake.procedures.cleanup;

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.table.expiry.ExpiryRequest;
import io.keylake.table.options.RetentionOptions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;

/** The arguments that say how much history stays. */
final class Retention {
  private static final String MAX = "retain_max";
  private static final String MIN = "retain_min";
  private static final String OLDER_THAN = "older_than";
  private static final String MAX_DELETES = "max_deletes";

  private Retention() {}

  /** The parameters; {@code what} expires. */
  static List<ProcedureParameter> parameters(String what) {
    return List.of(
        Parameters.optional(
            MAX, DataTypes.LongType, "more " + what + " than this expire whatever their age"),
        Parameters.optional(MIN, DataTypes.LongType, "never leaves fewer " + what),
        Parameters.optional(
            OLDER_THAN, DataTypes.StringType, "in between, those from before this time expire"),
        Parameters.optional(
            MAX_DELETES, DataTypes.LongType, "most " + what + " to remove; all if left out"));
  }

  /** Whether the call gives any of them. */
  static boolean isGiven(Arguments arguments) {
    return arguments.optionalLong(MAX).isPresent()
        || arguments.optionalLong(MIN).isPresent()
        || arguments.optionalText(OLDER_THAN).isPresent()
        || arguments.optionalLong(MAX_DELETES).isPresent();
  }

  /** What a call asks for; what it leaves out is as the table's options say, without a limit. */
  static ExpiryRequest of(Arguments arguments, RetentionOptions.Window window, Clock clock) {
    Optional<Integer> max = number(arguments, MAX);
    Optional<Integer> min = number(arguments, MIN);
    if (max.isPresent() && min.isPresent() && min.get() > max.get()) {
      throw arguments.invalid(
          "retain_min " + min.get() + " is above retain_max " + max.get() + ". Lower the first.");
    }
    int retainMin = min.orElseGet(() -> Math.min(window.min(), max.orElse(window.min())));
    int retainMax = max.orElseGet(() -> Math.max(window.max(), retainMin));
    Instant olderThan =
        arguments.optionalTime(OLDER_THAN).orElseGet(() -> clock.instant().minus(window.time()));
    long limit = arguments.optionalLong(MAX_DELETES).orElse(Long.MAX_VALUE);
    if (limit < 1) {
      throw arguments.invalid(MAX_DELETES + " is " + limit + ". Give it a value of at least 1.");
    }
    return new ExpiryRequest(retainMin, Math.max(retainMax, retainMin), olderThan, limit);
  }

  private static Optional<Integer> number(Arguments arguments, String parameter) {
    Optional<Long> given = arguments.optionalLong(parameter);
    if (given.isPresent() && (given.get() < 1 || given.get() > Integer.MAX_VALUE)) {
      throw arguments.invalid(
          parameter + " is " + given.get() + ". Give it a value from 1 to " + Integer.MAX_VALUE);
    }
    return given.map(Math::toIntExact);
  }
}
