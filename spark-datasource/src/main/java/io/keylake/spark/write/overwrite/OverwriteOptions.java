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

package io.keylake.spark.write.overwrite;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of one write that choose what an overwrite replaces.
 *
 * @param replaceWhere the condition on the rows that are replaced; null = not given
 * @param mode which partitions an overwrite of the whole table replaces; null = as the session says
 */
public record OverwriteOptions(@Nullable String replaceWhere, @Nullable Mode mode) {
  /** The condition, in Spark SQL. */
  public static final String REPLACE_WHERE = "replaceWhere";

  /** {@code static} or {@code dynamic}. */
  public static final String MODE = "partitionOverwriteMode";

  /** What an overwrite without a condition replaces. */
  public enum Mode {
    /** The whole table. */
    STATIC,
    /** The partitions that receive rows. */
    DYNAMIC
  }

  /**
   * Reads the options of a write to {@code table}.
   *
   * @throws InvalidRequestException when they contradict each other
   */
  public static OverwriteOptions of(CaseInsensitiveStringMap options, String table) {
    String condition = options.get(REPLACE_WHERE);
    Mode mode = Optional.ofNullable(options.get(MODE)).map(text -> mode(text, table)).orElse(null);
    if (condition != null && mode == Mode.DYNAMIC) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The options '"
              + REPLACE_WHERE
              + "' and '"
              + MODE
              + "' = 'dynamic' of a write to "
              + table
              + " contradict each other: leave one out.");
    }
    return new OverwriteOptions(condition, mode);
  }

  /** The condition on rows of the table; empty when there is none. */
  public Optional<RowCondition> condition(TableSchema schema, String table) {
    return Optional.ofNullable(replaceWhere).map(text -> ReplaceWhere.parse(text, schema, table));
  }

  private static Mode mode(String text, String table) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "static" -> Mode.STATIC;
      case "dynamic" -> Mode.DYNAMIC;
      default ->
          throw new InvalidRequestException(
              Condition.KEYLAKE_INVALID_OPTION,
              "The option '"
                  + MODE
                  + "' = '"
                  + text
                  + "' of a write to "
                  + table
                  + " must be 'static' or 'dynamic'.");
    };
  }
}
