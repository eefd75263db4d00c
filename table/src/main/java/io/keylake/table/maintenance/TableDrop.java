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

package io.keylake.table.maintenance;

import io.keylake.format.snapshot.TableStorage;

/** Removes a table with everything below its root. Data files at external paths stay. */
public final class TableDrop {
  private TableDrop() {}

  /**
   * Removes the table. Its schemas go first, so that a run that stops in between leaves a folder
   * that is no table, and that a later run removes.
   */
  public static void drop(TableStorage storage) {
    storage.io().deleteFolder(storage.layout().schemaFolder());
    storage.io().deleteFolder(storage.layout().root());
  }
}
