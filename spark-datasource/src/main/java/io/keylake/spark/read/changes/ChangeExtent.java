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

import io.keylake.format.row.ChangeKind;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/** Which changes of a table are read. Values are compared by what they name. */
public interface ChangeExtent {
  /**
   * The commits, in their order.
   *
   * @param log the table's history
   * @param wanted tells of a version whether its changes are wanted; others may come too
   */
  List<CommitChanges> commits(ChangeTarget target, ChangeLog log, LongPredicate wanted);

  /** The kinds of rows of these commits that are shown in a form. */
  default Set<ChangeKind> kinds(ChangeForm form, List<CommitChanges> commits) {
    return ChangeSpec.ALL_KINDS;
  }

  /** Which changes, and where they come from, for plan texts. */
  String describe(TableOptions options);
}
