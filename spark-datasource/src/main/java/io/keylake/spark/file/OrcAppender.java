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
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Appends a range of rows of one of ORC's vectors to one of Spark's. Made by {@link OrcAppenders}.
 */
@FunctionalInterface
interface OrcAppender {
  /** Takes no vector and appends NULLs. */
  OrcAppender NULLS =
      (source, first, count, target) -> {
        for (int i = 0; i < count; i++) {
          ValueAppender.appendNull(target);
        }
      };

  /**
   * Appends the rows from {@code first} on.
   *
   * @param source null only where the file lacks the column
   */
  void append(@Nullable ColumnVector source, int first, int count, WritableColumnVector target);
}
