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

package io.keylake.spark.conf;

import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.KnownOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The options that hold for one statement on one table.
 *
 * <ol>
 *   <li>An option of the read or write itself ({@code .option(k, v)}, {@code WITH (k = v)}) wins.
 *   <li>Then the session: {@code spark.keylake.<key>} for all tables, {@code
 *       spark.keylake.<catalog>.<database>.<table>.<key>} for one, where each of the three may be
 *       {@code *}; what names more of the table wins. {@code spark.paimon.} is read likewise, and
 *       yields to {@code spark.keylake.} of the same form.
 *   <li>Then the table's stored options.
 * </ol>
 *
 * Example: table {@code lake.db.t} stores {@code source.split.target-size=64mb}; with {@code SET
 * spark.keylake.*.*.t.source.split.target-size=8mb} it is read with 8 MB.
 *
 * <p>Rule source: table format, Spark options. Pinned by {@code SessionOptionsTest}.
 */
public final class SessionOptions {
  private static final List<String> PREFIXES = List.of("spark.paimon.", "spark.keylake.");

  /** Options that are not all in lower case. */
  private static final List<String> MIXED_CASE =
      List.of(ReadConf.ALLOW_FULL_SCAN, CommitKeys.TXN_APP.name(), CommitKeys.TXN_VERSION.name());

  private SessionOptions() {}

  /** What the statement and the session say about a table, to be laid over its stored options. */
  public static Map<String, String> overrides(TableName table, CaseInsensitiveStringMap statement) {
    return overrides(
        table,
        CollectionConverters.asJava(SQLConf.get().getAllConfs()),
        statement.asCaseSensitiveMap());
  }

  static Map<String, String> overrides(
      TableName table, Map<String, String> session, Map<String, String> statement) {
    Map<String, String> options = ofSession(session, table);
    statement.forEach((key, value) -> options.put(spelling(key), value));
    return options;
  }

  /** The options that the session's settings give for a table; unknown ones are other tables'. */
  private static Map<String, String> ofSession(Map<String, String> session, TableName table) {
    Map<String, String> settings = new TreeMap<>();
    session.forEach(
        (key, value) -> {
          if (PREFIXES.stream().anyMatch(key::startsWith)) {
            settings.put(key, value);
          }
        });
    Map<String, String> result = new HashMap<>();
    if (settings.isEmpty()) {
      return result;
    }
    for (String prefix : PREFIXES) {
      add(result, settings, prefix);
    }
    for (String form : tableForms(table)) {
      for (String prefix : PREFIXES) {
        add(result, settings, prefix + form);
      }
    }
    return result;
  }

  private static void add(Map<String, String> result, Map<String, String> settings, String prefix) {
    settings.forEach(
        (key, value) -> {
          String option = key.startsWith(prefix) ? key.substring(prefix.length()) : "";
          if (isKnown(option)) {
            result.put(option, value);
          }
        });
  }

  /** {@code *.*.*.} first, the full name last; more named parts come later. */
  private static List<String> tableForms(TableName table) {
    if (table.catalog().isEmpty()) {
      return List.of();
    }
    String catalog = table.catalog() + ".";
    String database = String.join(".", table.namespace()) + ".";
    String name = table.table() + ".";
    String any = "*.";
    return List.of(
        any + any + any,
        catalog + any + any,
        any + database + any,
        any + any + name,
        catalog + database + any,
        catalog + any + name,
        any + database + name,
        catalog + database + name);
  }

  private static boolean isKnown(String option) {
    return option.equals(ReadConf.ALLOW_FULL_SCAN) || KnownOptions.find(option).isPresent();
  }

  /** Options of a statement may come in any case. */
  private static String spelling(String key) {
    if (isKnown(key)) {
      return key;
    }
    for (String mixed : MIXED_CASE) {
      if (key.equalsIgnoreCase(mixed)) {
        return mixed;
      }
    }
    String lower = key.toLowerCase(Locale.ROOT);
    return isKnown(lower) ? lower : key;
  }
}
