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

package io.keylake.spark.maintenance;

import io.keylake.format.row.BinaryRow;
import java.util.Collection;
import java.util.List;

/** Which partitions of a table a job works on. Used on the driver by one thread. */
@FunctionalInterface
public interface PartitionChoice {
  /** All of them. */
  PartitionChoice ALL = List::copyOf;

  /** Those of {@code partitions} that are wanted, in their order. */
  List<BinaryRow> chosen(Collection<BinaryRow> partitions);
}
