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

import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.Split;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves out tasks that a LIMIT makes needless: once the tasks kept are known to give enough rows.
 * Only whole files without deletions that need no merging count as known.
 */
final class LimitedTasks {
  private LimitedTasks() {}

  static List<List<Split>> keep(List<List<Split>> tasks, int limit) {
    if (limit == ScanRequest.NO_LIMIT) {
      return tasks;
    }
    List<List<Split>> kept = new ArrayList<>();
    long rows = 0;
    for (List<Split> task : tasks) {
      if (rows >= limit) {
        return kept;
      }
      kept.add(task);
      rows += knownRows(task);
    }
    return kept;
  }

  private static long knownRows(List<Split> task) {
    long rows = 0;
    for (Split split : task) {
      for (ScanUnit unit : split.units()) {
        boolean whole = unit.length() >= unit.file().size();
        if (whole && unit.isRaw() && unit.vector() == null) {
          rows += unit.file().rowCount();
        }
      }
    }
    return rows;
  }
}
