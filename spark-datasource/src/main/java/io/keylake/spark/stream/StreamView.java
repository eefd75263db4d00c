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

package io.keylake.spark.stream;

import io.keylake.spark.changelog.ChangeColumn.Meta;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a query sees of the changes of a table.
 *
 * @param kind which rows
 * @param metaColumns the columns that say what a row is, by name
 * @param range where it begins and ends, when that is not left to options
 */
public record StreamView(Kind kind, Map<String, Meta> metaColumns, Optional<Range> range) {
  /** Which rows a query gets. */
  public enum Kind {
    /** New and updated rows of the table, without their kinds. */
    ROWS,
    /** Every change as the table's options say it is kept, with its kind. */
    CHANGELOG,
    /** The same, with the old and new values of an update in arrays. */
    PAIRS,
    /** Every change of content, exactly, one commit after another. */
    CHANGES,
    /** The same, where commits must not be cut. */
    WHOLE_CHANGES
  }

  /**
   * A range of commits; a bound that is null is open.
   *
   * @param fromVersion the first version that counts
   * @param toVersion the last one
   * @param fromMillis the first commit time that counts
   * @param toMillis the last one
   */
  public record Range(
      @Nullable Long fromVersion,
      @Nullable Long toVersion,
      @Nullable Long fromMillis,
      @Nullable Long toMillis) {
    /** Whether changes of this version and time count. */
    boolean holds(long version, long timeMillis) {
      return (fromVersion == null || version >= fromVersion)
          && (toVersion == null || version <= toVersion)
          && (fromMillis == null || timeMillis >= fromMillis)
          && (toMillis == null || timeMillis <= toMillis);
    }
  }

  /** Copies the map. */
  public StreamView {
    metaColumns = Map.copyOf(metaColumns);
  }

  /** Rows of the table. */
  public static StreamView rows() {
    return new StreamView(Kind.ROWS, Map.of(), Optional.empty());
  }

  /**
   * Changes without a range.
   *
   * @param kind which rows
   * @param metaColumns the columns that say what a row is, by name
   */
  public static StreamView of(Kind kind, Map<String, Meta> metaColumns) {
    return new StreamView(kind, metaColumns, Optional.empty());
  }

  /** Whether every change of content is delivered, exactly. */
  boolean isExact() {
    return kind == Kind.CHANGES || kind == Kind.WHOLE_CHANGES;
  }

  /** Whether the pieces of a commit have to stay in one batch. */
  boolean keepsCommitsWhole() {
    return kind == Kind.WHOLE_CHANGES || kind == Kind.PAIRS;
  }
}
