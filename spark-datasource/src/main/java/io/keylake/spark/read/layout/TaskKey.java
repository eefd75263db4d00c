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

package io.keylake.spark.read.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The key that all rows of a task share.
 *
 * @param values as Spark holds them, one for each part
 */
public record TaskKey(List<@Nullable Object> values) {
  /** Copies the list. */
  public TaskKey {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  /** The key as a row. */
  public InternalRow toRow() {
    return new GenericInternalRow(values.toArray());
  }
}
