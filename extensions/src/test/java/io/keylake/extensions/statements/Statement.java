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

package io.keylake.extensions.statements;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A statement and what it must do.
 *
 * @param sql its text, or several texts of which the last one is it
 * @param settings settings of the session while it runs
 * @param effect what it does to the model
 * @param refusals conditions with one of which it must fail, and then do nothing; empty = it
 *     succeeds
 * @param mayRefuse whether any condition of ours is right, too
 */
record Statement(
    List<String> sql,
    Map<String, String> settings,
    Runnable effect,
    Set<String> refusals,
    boolean mayRefuse) {
  static Statement of(String sql, Runnable effect) {
    return new Statement(List.of(sql), Map.of(), effect, Set.of(), false);
  }

  static Statement refused(String sql, String... conditions) {
    return new Statement(List.of(sql), Map.of(), () -> {}, Set.of(conditions), false);
  }

  /** The same after another statement. */
  Statement after(String other) {
    return new Statement(List.of(other, sql.get(0)), settings, effect, refusals, mayRefuse);
  }

  /** The same with a setting. */
  Statement with(String key, String value) {
    return new Statement(sql, Map.of(key, value), effect, refusals, mayRefuse);
  }

  /** The same, but the table may also refuse it. */
  Statement orRefused() {
    return new Statement(sql, settings, effect, refusals, true);
  }
}
