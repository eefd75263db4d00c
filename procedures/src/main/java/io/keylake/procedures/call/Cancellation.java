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

package io.keylake.procedures.call;

import org.apache.spark.SparkThrowable;

/**
 * Tells failures of one table, which procedures over many tables put into their result, from a user
 * who wants the whole call to end.
 */
public final class Cancellation {
  private static final String CANCELLED = "SPARK_JOB_CANCELLED";

  private Cancellation() {}

  /** Throws {@code failure} again when it means that the call was cancelled. */
  public static void passOn(Exception failure) {
    if (Thread.currentThread().isInterrupted()
        || failure instanceof SparkThrowable spark && CANCELLED.equals(spark.getCondition())) {
      throw Cancellation.<RuntimeException>unchecked(failure);
    }
  }

  /** Spark's failures are partly checked exceptions, which Scala does not declare. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable failure) throws E {
    throw (E) failure;
  }
}
