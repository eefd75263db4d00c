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

package io.keylake.spark.read.changes;

import io.keylake.spark.changelog.ChangeSplit;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/** The work of one task. */
public final class ChangePartition implements InputPartition {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // the list is List.copyOf, which is serializable
  private final List<ChangeSplit> splits;

  /**
   * The work.
   *
   * @param splits read one after another
   */
  public ChangePartition(List<ChangeSplit> splits) {
    this.splits = List.copyOf(splits);
  }

  List<ChangeSplit> splits() {
    return splits;
  }
}
