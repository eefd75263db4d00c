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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects problems, each once. */
final class Problems {
  private final Set<TableProblem> all = new LinkedHashSet<>();

  void add(Kind kind, String place, String detail) {
    all.add(new TableProblem(kind, place, detail));
  }

  /** Runs a step that reads files; what it cannot read is a problem of this kind. */
  void guard(Kind kind, String place, Runnable step) {
    try {
      step.run();
    } catch (CorruptTableException e) {
      add(kind, place, e.getMessage());
    }
  }

  List<TableProblem> all() {
    return List.copyOf(all);
  }
}
