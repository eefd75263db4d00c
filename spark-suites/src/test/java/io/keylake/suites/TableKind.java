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

package io.keylake.suites;

import java.util.Locale;

/** What every table of a suite is; a suite runs once for each kind that its statements apply to. */
enum TableKind {
  /** As the suite creates it: no primary key. */
  APPEND,
  /** With a primary key, see {@link SuiteCatalog}. */
  KEYED;

  /** The kind of this run: the system property {@code suites.tables}. */
  static TableKind current() {
    return of(System.getProperty("suites.tables", "append"));
  }

  static TableKind of(String name) {
    return valueOf(name.trim().toUpperCase(Locale.ROOT));
  }
}
