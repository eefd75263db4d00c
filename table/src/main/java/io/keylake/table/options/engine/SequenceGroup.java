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
import java.util.List;

/**
 * Columns of a partial-update table that have an order of their own.
 *
 * @param fields positions, in the table, of the columns that order the group, in the order in which
 *     they are compared: ascending, NULL first
 * @param removesOnDelete whether a row of kind -D that is not older in this group removes the key
 */
public record SequenceGroup(List<Integer> fields, boolean removesOnDelete) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public SequenceGroup {
    fields = List.copyOf(fields);
  }
}
