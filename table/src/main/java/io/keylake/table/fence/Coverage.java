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

package io.keylake.table.fence;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Up to which snapshot fences tell everything. Stored in the name of a file, {@code
 * covered-<id>-<lost>-<aged>}.
 *
 * @param to the id up to which no snapshot need be looked at
 * @param lostMillis commits up to this time may have been lost, since others have expired their
 *     snapshots; 0 = none
 * @param agedMillis fences up to this time were dropped because of their age; 0 = none
 */
record Coverage(long to, long lostMillis, long agedMillis) {
  /** Of a table in which no commit was ever fenced. */
  static final Coverage NOTHING = new Coverage(0, 0, 0);

  private static final Pattern NAME = Pattern.compile("covered-(\\d+)-(\\d+)-(\\d+)");

  static Optional<Coverage> parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new Coverage(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }

  String fileName() {
    return "covered-" + to + "-" + lostMillis + "-" + agedMillis;
  }
}
