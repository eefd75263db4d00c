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

package io.keylake.spark.rowlevel.append;

import java.io.Serializable;

/**
 * Numbers of rows that a statement changed.
 *
 * @param deleted rows that went without a row in their place
 * @param updated rows that another took the place of
 * @param inserted new rows
 */
record RowCounts(long deleted, long updated, long inserted) implements Serializable {
  private static final long serialVersionUID = 1L;

  static final RowCounts NONE = new RowCounts(0, 0, 0);

  RowCounts plus(RowCounts more) {
    return new RowCounts(deleted + more.deleted, updated + more.updated, inserted + more.inserted);
  }
}
