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

package io.keylake.spark.stream.task;

import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.merge.ReadSpec;
import java.io.Serializable;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What a trigger wants of every task: made once on the driver, sent to every task.
 *
 * @param table the table's name, for messages
 * @param version how pieces of a whole version are read
 * @param changes how changes are read
 * @param columns how what is read becomes the output
 * @param pairs the output where old and new values of updates are put into arrays, and the first
 *     chosen column is the kind; null where rows are given as they are
 * @param condition which rows are wanted; null = all
 * @param deletes what becomes of rows of kind -D
 */
public record StreamSpec(
    String table,
    ReadSpec version,
    ChangeSpec changes,
    StreamColumns columns,
    @Nullable StructType pairs,
    @Nullable RowCondition condition,
    Deletes deletes)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What becomes of rows of kind -D. */
  public enum Deletes {
    /** They are delivered, or were left out before. */
    PASS,
    /** They fail the query. The last column that is read has the kinds. */
    FAIL
  }
}
