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

package io.keylake.spark.write.cross;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.PartialColumns;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlanner;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one statement's write to a table in which a key is found once whatever its
 * partition. Lives on the driver.
 *
 * <ol>
 *   <li>A write that replaces the whole table needs no keys of it, one that replaces partitions
 *       those of all others.
 *   <li>A partition may only be replaced when it is known beforehand: a key that leaves a partition
 *       writes there, too.
 *   <li>Rows that set some columns cannot be completed: the row that the key has may be in another
 *       partition.
 * </ol>
 *
 * @param table the table's name, for messages
 * @param storage the files of the table
 * @param schema a schema whose primary key lacks partition columns
 * @param options of the table and the statement
 * @param scope what is replaced; null = nothing
 */
public record CrossWrite(
    String table,
    TableStorage storage,
    TableSchema schema,
    TableOptions options,
    @Nullable OverwriteScope scope) {
  /**
   * Checks that the statement can be carried out.
   *
   * @throws InvalidRequestException KEYLAKE_UNSUPPORTED_OPERATION
   */
  public CrossWrite check() {
    if (scope instanceof OverwriteScope.WrittenPartitions) {
      throw unsupported(
          "Cannot overwrite the partitions that the rows turn out to belong to. Name the"
              + " partitions, as in INSERT OVERWRITE ... PARTITION (column = value), or replace"
              + " the whole table with 'overwrite-mode' = 'static'.");
    }
    boolean completes =
        options.merge().engine() == MergeOptions.Engine.DEDUPLICATE
            && PartialColumns.of(schema, options, table).isPresent();
    if (completes) {
      throw unsupported(
          "Cannot write rows that set some of the columns. Set all columns, use UPDATE or MERGE, or"
              + " make a table with the merge engine partial-update.");
    }
    return this;
  }

  private InvalidRequestException unsupported(String what) {
    return new InvalidRequestException(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        what
            + " Keys of "
            + table
            + " move between partitions, since its primary key "
            + schema.primaryKeys()
            + " does not hold all partition columns "
            + schema.partitionKeys()
            + ".");
  }

  /** Whether it matters which keys the table has. */
  public boolean readsKeys() {
    return !(scope instanceof OverwriteScope.WholeTable);
  }

  /** The rules of a write that adds rows to {@code base}. */
  public CrossRules forRows(
      String job, @Nullable Snapshot base, AssignerRules assigners, Clock clock) {
    return rules(job, readsKeys() ? base : null, assigners)
        .replacing(replaced(base))
        .forgetting(options.bucket().keyIndex(), clock);
  }

  /** The rules of a statement that changes rows of {@code base}: it has to find all of them. */
  public CrossRules forChanges(String job, @Nullable Snapshot base, AssignerRules assigners) {
    return rules(job, base, assigners);
  }

  private CrossRules rules(String job, @Nullable Snapshot base, AssignerRules assigners) {
    return CrossRules.of(
        job, options.merge().engine(), base, options.bucket().keyIndex(), assigners);
  }

  private Set<BinaryRow> replaced(@Nullable Snapshot base) {
    if (base == null || !(scope instanceof OverwriteScope.Partitions partitions)) {
      return Set.of();
    }
    return new ScanPlanner(storage, schema, options)
            .ofEveryLevel()
            .plan(base, new ScanFilter(List.of(), StatsProjection.SKIP))
            .buckets()
            .stream()
            .map(BucketFiles::partition)
            .filter(partitions.filter())
            .collect(Collectors.toSet());
  }

  /**
   * Checks that rows came with partitions that are replaced.
   *
   * @throws InvalidRequestException KEYLAKE_OVERWRITE_MISMATCH
   */
  public void checkGiven(Collection<BinaryRow> given) {
    if (scope instanceof OverwriteScope.Partitions partitions) {
      given.stream()
          .filter(partition -> !partitions.filter().test(partition))
          .findFirst()
          .ifPresent(
              partition -> {
                throw new InvalidRequestException(
                    Condition.KEYLAKE_OVERWRITE_MISMATCH,
                    "Rows of partition "
                        + BinaryRowCodec.of(schema.partitionType()).decode(partition)
                        + " cannot be written by an overwrite of "
                        + partitions.text()
                        + " in table "
                        + table
                        + ". Select only rows of the overwritten partitions.");
              });
    }
  }
}
