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

package io.keylake.spark.transfer;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a data file says of it.
 *
 * @param rows number of rows
 * @param columns the columns it has
 * @param ranges smallest and largest value and number of NULLs of some columns, by name
 */
record Footer(long rows, StructType columns, Map<String, Range> ranges) {
  Footer {
    ranges = Map.copyOf(ranges);
  }

  /**
   * The values of a column, as Spark holds them.
   *
   * @param min the smallest value; null = all are NULL
   * @param max the largest value; null = all are NULL
   * @param nulls number of NULLs
   */
  record Range(@Nullable Object min, @Nullable Object max, long nulls) {}

  /** Reads the ends of files of one format. */
  interface Reader {
    /** The footer of a file of {@code bytes} bytes. */
    Footer read(String file, long bytes) throws java.io.IOException;

    /** What columns of the format cannot be taken over, as text; empty when all of them can. */
    List<String> misfits(StructType columns);
  }
}
