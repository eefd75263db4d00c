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

package io.keylake.spark.maintenance.sorting;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The values that a sampled row is sorted by.
 *
 * @param partition position of its partition among those that are sorted
 * @param values the columns of the order
 * @param weight how many rows, or bytes of rows, it stands for
 */
record SampledKey(int partition, InternalRow values, double weight) implements Serializable {
  private static final long serialVersionUID = 1L;
}
