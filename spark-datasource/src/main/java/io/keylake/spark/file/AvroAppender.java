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

package io.keylake.spark.file;

import io.keylake.spark.vector.ValueAppender;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/** Appends a value that Avro's library has decoded to a vector. Made by {@link AvroAppenders}. */
@FunctionalInterface
interface AvroAppender {
  /** Takes no value and appends NULL. */
  AvroAppender NULL = (value, target) -> ValueAppender.appendNull(target);

  /** Appends {@code value}, NULL when it is null. */
  void append(@Nullable Object value, WritableColumnVector target);

  /** Appends a value that is not NULL. */
  @FunctionalInterface
  interface NotNull {
    /** Appends {@code value}. */
    void append(Object value, WritableColumnVector target);
  }
}
