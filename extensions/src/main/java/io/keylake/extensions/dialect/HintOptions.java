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

package io.keylake.extensions.dialect;

import io.keylake.format.errors.Condition;
import io.keylake.spark.convert.KeylakeException;
import io.keylake.spark.write.overwrite.OverwriteOptions;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.OptionKey;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the keys of an {@code OPTIONS} hint do.
 *
 * <ol>
 *   <li>An option that holds for one statement does the same as in Spark's {@code WITH} or {@code
 *       .option}.
 *   <li>{@code dynamic-partition-overwrite} of an INSERT OVERWRITE overrules the session.
 *   <li>{@code lookup.*} tunes a cache that is not there: accepted with a note, but for {@code
 *       lookup.dynamic-partition}, which would choose rows.
 *   <li>An option of the table itself, of the other direction (read or write), without an effect
 *       here, or unknown is refused by name.
 * </ol>
 */
final class HintOptions {
  private static final Logger LOG = LoggerFactory.getLogger(HintOptions.class);

  /** What is done with the table that has the hint. */
  enum Use {
    READ("a read"),
    INSERT("an INSERT"),
    OVERWRITE("an INSERT OVERWRITE"),
    ROW_LEVEL("a DELETE, UPDATE or MERGE");

    private final String text;

    Use(String text) {
      this.text = text;
    }
  }

  private static final String DYNAMIC_OVERWRITE = CommitKeys.DYNAMIC_PARTITION_OVERWRITE.name();
  private static final String LOOKUP = "lookup.";
  private static final String LOOKUP_PARTITION = "lookup.dynamic-partition";

  /** Prefixes of options that only a read has. */
  private static final Set<String> OF_READS =
      Set.of("scan.", "incremental-", "consumer", "streaming-read", "read.");

  private final String table;
  private final Use use;
  private final Token place;

  /** The hint of {@code table}, which stands at {@code place}. */
  HintOptions(String table, Use use, Token place) {
    this.table = table;
    this.use = use;
    this.place = place;
  }

  /** The options that Spark hands to the table for these of a hint. */
  Map<String, String> accepted(Map<String, String> hint) {
    Map<String, String> options = new LinkedHashMap<>();
    hint.forEach((key, value) -> accept(options, key, value));
    return options;
  }

  private void accept(Map<String, String> options, String key, String value) {
    if (key.equals(DYNAMIC_OVERWRITE)) {
      options.put(OverwriteOptions.MODE, overwriteMode(value));
    } else if (key.startsWith(LOOKUP) && !key.equals(LOOKUP_PARTITION)) {
      LOG.warn("The option '{}' of {} has no effect: there is no such cache here.", key, table);
    } else {
      check(key);
      options.put(key, value);
    }
  }

  private String overwriteMode(String value) {
    if (use != Use.OVERWRITE) {
      throw refused(DYNAMIC_OVERWRITE, "It says what INSERT OVERWRITE replaces: leave it out.");
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> "dynamic";
      case "false" -> "static";
      default ->
          throw Refusals.at(
              place,
              Condition.KEYLAKE_INVALID_OPTION,
              "Invalid value '"
                  + value
                  + "' of option '"
                  + DYNAMIC_OVERWRITE
                  + "' of table "
                  + table
                  + ". Say true or false.");
    };
  }

  private void check(String key) {
    if (key.equals(LOOKUP_PARTITION)) {
      throw refused(key, "Add the condition 'WHERE <partition> = sys.max_pt('<table>')'.");
    }
    OptionKey<?> known =
        KnownOptions.find(key)
            .orElseThrow(
                () -> refused(key, "Leave it out; docs/sql-dialect.md lists what a hint can say."));
    if (known.refusal() == OptionKey.Refusal.NO_EFFECT) {
      throw refused(key, "It has no effect here: leave it out.");
    }
    if (key.equals("bucket") || isOfTheTable(known.change())) {
      throw refused(
          key, "It belongs to the table: ALTER TABLE " + table + " SET ('" + key + "' = '...').");
    }
    boolean reads = OF_READS.stream().anyMatch(key::startsWith);
    if (use == Use.READ ? key.startsWith("sink.") : reads && use != Use.ROW_LEVEL) {
      throw refused(key, "It has no meaning there: leave it out.");
    }
  }

  private static boolean isOfTheTable(OptionKey.Change change) {
    return switch (change) {
      case FREE, CONDITIONAL -> false;
      case TABLE, WHILE_EMPTY, AT_CREATION -> true;
    };
  }

  private KeylakeException refused(String key, String advice) {
    return Refusals.at(
        place,
        Condition.KEYLAKE_UNSUPPORTED_OPTION,
        "The option '"
            + key
            + "' of the hint on table "
            + table
            + " is not supported for "
            + use.text
            + ". "
            + advice);
  }
}
