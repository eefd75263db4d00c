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

package io.keylake.procedures.compaction;

import io.keylake.procedures.call.Arguments;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Which tables of a catalog a call is about. A pattern for tables holds if it matches all of {@code
 * t} or all of {@code db.t}.
 *
 * @param databases which databases
 * @param included which of their tables
 * @param excluded which of these not; null = none
 */
record TablePatterns(Pattern databases, Pattern included, @Nullable Pattern excluded) {
  static final String DATABASES = "including_databases";
  static final String INCLUDED = "including_tables";
  static final String EXCLUDED = "excluding_tables";

  private static final Pattern ALL = Pattern.compile(".*");

  static TablePatterns of(Arguments arguments) {
    return new TablePatterns(
        pattern(arguments, DATABASES).orElse(ALL),
        pattern(arguments, INCLUDED).orElse(ALL),
        pattern(arguments, EXCLUDED).orElse(null));
  }

  private static Optional<Pattern> pattern(Arguments arguments, String parameter) {
    Optional<String> text = arguments.optionalText(parameter);
    try {
      return text.map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw arguments.invalid(
          parameter
              + " '"
              + text.orElse("")
              + "' is no regular expression: "
              + e.getDescription()
              + ". Write it as 'db1|db2' or 'orders_.*'.");
    }
  }

  boolean includesDatabase(String database) {
    return databases.matcher(database).matches();
  }

  boolean includesTable(String database, String table) {
    return matches(included, database, table)
        && (excluded == null || !matches(excluded, database, table));
  }

  private static boolean matches(Pattern pattern, String database, String table) {
    return pattern.matcher(table).matches() || pattern.matcher(database + "." + table).matches();
  }
}
