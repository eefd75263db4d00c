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

package io.keylake.table.options.engine;

import java.io.Serializable;

/**
 * How the values of one column combine.
 *
 * @param lane 0 for a column outside of sequence groups, {@code g + 1} for one of group {@code g}:
 *     the columns that order the group and those that it protects
 * @param function the function
 * @param skipsRetracts whether retracted rows leave the column as it is
 */
public record ColumnRule(int lane, AggregateFunction function, boolean skipsRetracts)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
