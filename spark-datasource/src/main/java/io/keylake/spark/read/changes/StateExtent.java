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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.function.LongPredicate;

/** All rows of the newest version, as inserts into an empty table. */
public record StateExtent() implements ChangeExtent {
  @Override
  public List<CommitChanges> commits(ChangeTarget target, ChangeLog log, LongPredicate wanted) {
    Snapshot newest = target.newest();
    return newest == null ? List.of() : log.between(null, newest).stream().toList();
  }

  @Override
  public String describe(TableOptions options) {
    return "all rows as changes";
  }
}
