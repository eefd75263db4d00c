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

package io.keylake.table.scan;

import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.StatsEvaluator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rows that a statement has looked for in a table: those that fulfil its conditions, as far as
 * statistics of files tell. A file that another commit adds there may hold rows that the statement
 * would have seen.
 *
 * <p>Where rows of a key are folded, conditions on values say nothing: the folded value may fulfil
 * one that no file has.
 */
public final class ReadRange {
  private final java.util.function.Predicate<BinaryRow> partitions;
  private final FileBounds bounds;
  private final List<StatsEvaluator> tests;

  private ReadRange(
      java.util.function.Predicate<BinaryRow> partitions,
      FileBounds bounds,
      List<StatsEvaluator> tests) {
    this.partitions = partitions;
    this.bounds = bounds;
    this.tests = tests;
  }

  /**
   * What a statement looked for.
   *
   * @param schema the schema that it read
   * @param partitions the partitions it looked into
   * @param conjuncts conditions that its rows fulfil, all of them
   */
  public static ReadRange of(
      TableStorage storage,
      TableSchema schema,
      TableOptions options,
      java.util.function.Predicate<BinaryRow> partitions,
      List<Predicate> conjuncts) {
    Conditions conditions = Conditions.of(conjuncts, schema);
    boolean folds = schema.hasPrimaryKey() && options.merge().computesRows();
    List<Predicate> used =
        folds
            ? conditions.key()
            : Stream.concat(conditions.key().stream(), conditions.value().stream()).toList();
    return new ReadRange(
        partitions,
        new FileBounds(schema, storage.schemas()::load),
        used.stream().map(StatsEvaluator::of).toList());
  }

  /** Whether the statement looked into a partition. */
  public boolean holds(BinaryRow partition) {
    return partitions.test(partition);
  }

  /** Whether a file with its statistics may hold rows that the statement looked for. */
  public boolean mayHold(ManifestEntry entry) {
    return holds(entry.partition())
        && tests.stream()
            .allMatch(
                test ->
                    test.mayMatch(
                        entry.file().rowCount(),
                        column -> bounds.of(column, entry.partition(), entry.file())));
  }
}
