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

package io.keylake.table.changes;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.TableOptions;
import java.util.Set;

/**
 * Which changes a reader wants of snapshots, by their kind.
 *
 * <ol>
 *   <li>{@link #exact()}: every change of the table's content once, with old and new values: the
 *       changelog of a table with a producer, computed differences of a table without one. An
 *       overwrite has no changelog, so its difference is computed in either case. The producer that
 *       counts is the one that the table had at the time of the snapshot.
 *   <li>{@link #delta()}: the rows that appends wrote, as they are stored.
 *   <li>{@link #changelog()}: what changelog files say, and nothing else. Of overwrites only those
 *       have any that row-level statements of ours made.
 *   <li>{@link #stream(TableOptions)}: what a reader of the table has to follow: {@code changelog}
 *       where there is a producer, else {@code delta}.
 * </ol>
 *
 * <p>Rule source: table format, incremental and streaming reads. Pinned by {@code ChangeLogTest}.
 *
 * @param append of snapshots that added rows
 * @param compact of snapshots that only rewrote rows
 * @param overwrite of snapshots that replaced rows
 * @param statements of those among them that a DELETE, UPDATE or MERGE of ours made: where rows are
 *     computed, or whole partitions go
 * @param scope whether the producer of the time of a snapshot counts instead
 */
public record ChangeRules(Take append, Take compact, Take overwrite, Take statements, Scope scope) {
  private static final Set<String> STATEMENTS = Set.of("DELETE", "UPDATE", "MERGE");

  /** What is taken of a snapshot. */
  public enum Take {
    NOTHING,
    CHANGELOG,
    ADDED_FILES,
    /** Of an append table's snapshot that only added files these are the difference. */
    DIFFERENCE
  }

  /** Whether the same rules hold for all snapshots. */
  public enum Scope {
    ALL_SNAPSHOTS,
    /** The rules follow from the options that the table had. */
    BY_SNAPSHOT
  }

  /** Every change of content. */
  public static ChangeRules exact() {
    return new ChangeRules(
        Take.DIFFERENCE, Take.NOTHING, Take.DIFFERENCE, Take.DIFFERENCE, Scope.BY_SNAPSHOT);
  }

  /** Rows as appends stored them. */
  public static ChangeRules delta() {
    return new ChangeRules(
        Take.ADDED_FILES, Take.NOTHING, Take.NOTHING, Take.NOTHING, Scope.ALL_SNAPSHOTS);
  }

  /** Changelog files. */
  public static ChangeRules changelog() {
    return new ChangeRules(
        Take.CHANGELOG, Take.CHANGELOG, Take.CHANGELOG, Take.CHANGELOG, Scope.ALL_SNAPSHOTS);
  }

  /** What a reader that keeps up with the table needs; of overwrites what changelog files say. */
  public static ChangeRules stream(TableOptions options) {
    return options.merge().changelogProducer() == ChangelogProducer.NONE ? delta() : changelog();
  }

  /** The same, but for appends. */
  public ChangeRules withAppend(Take newAppend) {
    return new ChangeRules(newAppend, compact, overwrite, statements, scope);
  }

  /** The same, but for overwrites, those of statements on rows among them. */
  public ChangeRules withOverwrite(Take newOverwrite) {
    return new ChangeRules(append, compact, newOverwrite, newOverwrite, scope);
  }

  /** The same, but for overwrites that statements on rows made. */
  public ChangeRules withStatements(Take newStatements) {
    return new ChangeRules(append, compact, overwrite, newStatements, scope);
  }

  /** Whether some changes are computed from states of the table. */
  public boolean computes() {
    return append == Take.DIFFERENCE
        || overwrite == Take.DIFFERENCE
        || statements == Take.DIFFERENCE;
  }

  /** The rules for a snapshot that was committed under a schema. */
  ChangeRules under(TableSchema schema) {
    return switch (scope) {
      case ALL_SNAPSHOTS -> this;
      case BY_SNAPSHOT ->
          switch (TableOptions.of(schema).merge().changelogProducer()) {
            case NONE -> this;
            case INPUT, FULL_COMPACTION, LOOKUP ->
                new ChangeRules(Take.CHANGELOG, Take.CHANGELOG, overwrite, statements, scope);
          };
    };
  }

  /** What is taken of a snapshot. */
  Take of(Snapshot snapshot) {
    return switch (snapshot.commitKind()) {
      case APPEND -> append;
      case COMPACT -> compact;
      case OVERWRITE -> isStatement(snapshot) ? statements : overwrite;
      case ANALYZE -> Take.NOTHING;
    };
  }

  /** Whether a snapshot is known to be of a DELETE, UPDATE or MERGE of ours. */
  public static boolean isStatement(Snapshot snapshot) {
    return STATEMENTS.contains(snapshot.properties().getOrDefault(Snapshot.OPERATION, ""));
  }
}
