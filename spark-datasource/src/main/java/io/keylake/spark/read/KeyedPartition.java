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

package io.keylake.spark.read;

import io.keylake.spark.read.layout.TaskKey;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.HasPartitionKey;

/** The work of one task whose rows share a key. */
final class KeyedPartition extends SplitPartition implements HasPartitionKey {
  private static final long serialVersionUID = 1L;

  private final transient InternalRow key;

  KeyedPartition(SplitPartition work, TaskKey key) {
    super(work.splits());
    this.key = key.toRow();
  }

  /** Known to the driver alone. */
  @Override
  public InternalRow partitionKey() {
    return key;
  }
}
