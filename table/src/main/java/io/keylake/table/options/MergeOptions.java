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

package io.keylake.table.options;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How rows of one key combine.
 *
 * @param engine the rule
 * @param ignoreDelete whether rows of kind -U and -D are dropped when written and skipped when read
 * @param ignoreUpdateBefore whether rows of kind -U are dropped when written
 * @param sequenceFields columns that order the rows of a key before the sequence number
 * @param sequenceOrder whether the larger or the smaller sequence field wins
 * @param rowKindField the column that holds the change kind of written rows; null = none
 * @param changelogProducer who writes changelog files
 * @param deletionVectors whether deleted rows are marked in deletion vectors
 * @param forceLookup whether keys are looked up although nothing else asks for it
 */
public record MergeOptions(
    Engine engine,
    boolean ignoreDelete,
    boolean ignoreUpdateBefore,
    List<String> sequenceFields,
    SortOrder sequenceOrder,
    @Nullable String rowKindField,
    ChangelogProducer changelogProducer,
    boolean deletionVectors,
    boolean forceLookup)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The rules for rows of equal key. */
  public enum Engine {
    DEDUPLICATE,
    PARTIAL_UPDATE,
    AGGREGATION,
    FIRST_ROW
  }

  /** Which row wins by its sequence field. */
  public enum SortOrder {
    ASCENDING,
    DESCENDING
  }

  /** Who writes changelog files. */
  public enum ChangelogProducer {
    NONE,
    INPUT,
    FULL_COMPACTION,
    LOOKUP
  }

  /** Copies the list. */
  public MergeOptions {
    sequenceFields = List.copyOf(sequenceFields);
  }

  /**
   * Whether compactions look for the keys of level 0 in all levels above: every write then compacts
   * level 0, and of the rows of a key above level 0 only the one on the lowest level is not
   * outdated.
   */
  public boolean lookupMode() {
    return hasOneRowAbove() || changelogProducer == ChangelogProducer.LOOKUP || forceLookup;
  }

  /**
   * Whether compactions leave no more than one row of a key above level 0, no delete among them:
   * readers of other engines pass over level 0.
   */
  public boolean hasOneRowAbove() {
    return deletionVectors || engine == Engine.FIRST_ROW;
  }

  /** Whether folding the rows of a key gives values that no stored row has. */
  public boolean computesRows() {
    return engine == Engine.PARTIAL_UPDATE || engine == Engine.AGGREGATION;
  }

  /** Whether rows of kind -U and -D are passed over when rows of a key are merged. */
  public boolean skipsRetracts() {
    return ignoreDelete && engine != Engine.AGGREGATION;
  }

  static MergeOptions of(Map<String, String> values) {
    return new MergeOptions(
        EngineKeys.MERGE_ENGINE.read(values),
        EngineKeys.IGNORE_DELETE.read(values),
        EngineKeys.IGNORE_UPDATE_BEFORE.read(values),
        EngineKeys.SEQUENCE_FIELD.find(values).orElse(List.of()),
        EngineKeys.SEQUENCE_SORT_ORDER.read(values),
        EngineKeys.ROW_KIND_FIELD.find(values).orElse(null),
        EngineKeys.CHANGELOG_PRODUCER.read(values),
        EngineKeys.DELETION_VECTORS.read(values),
        EngineKeys.FORCE_LOOKUP.read(values));
  }
}
