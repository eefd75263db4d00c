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

package io.keylake.spark.write;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.write.change.Statement;
import io.keylake.spark.write.cross.CrossWrite;
import io.keylake.spark.write.overwrite.OverwriteOptions;
import io.keylake.spark.write.overwrite.RowCondition;
import io.keylake.spark.write.overwrite.RowReplacement;
import io.keylake.spark.write.overwrite.SelectedPartitions;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.support.WriteSupport;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What one statement writes: by default rows are added; {@link #truncate}, {@link #overwrite} and
 * {@link #overwriteDynamicPartitions} say what is replaced in the same commit. Options of the write
 * can narrow a replacement of the whole table, see {@link OverwriteOptions}.
 */
public final class KeylakeWriteBuilder
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {
  private final WriteTarget target;
  private final LogicalWriteInfo info;
  private final OverwriteOptions options;
  private final @Nullable RowReplacement rows;
  private Replacement replacement = Replacement.NOTHING;
  private @Nullable RowCondition replacedRows;

  /** A builder of a write to {@code target} that adds rows or replaces whole partitions. */
  public KeylakeWriteBuilder(WriteTarget target, LogicalWriteInfo info) {
    this(target, info, null);
  }

  /**
   * A builder of a write to {@code target}.
   *
   * @param rows replaces rows one by one; null = that is not asked for
   */
  public KeylakeWriteBuilder(
      WriteTarget target, LogicalWriteInfo info, @Nullable RowReplacement rows) {
    this.target = target;
    this.info = info;
    this.rows = rows;
    this.options = OverwriteOptions.of(info.options(), target.name().text());
  }

  /** Replaces the whole table, or what the options select of it. */
  @Override
  public WriteBuilder truncate() {
    return options.mode() == OverwriteOptions.Mode.DYNAMIC
        ? replace(writtenPartitions())
        : replaceSelected(new OverwriteScope.WholeTable());
  }

  /** The rows that a statement adds besides replacing others, whatever its options select. */
  public static RequiresDistributionAndOrdering addedRows(
      WriteTarget target, LogicalWriteInfo info) {
    return new KeylakeWrite(target, info.schema(), Replacement.NOTHING, null);
  }

  /** What a row-level statement on a primary-key table writes. */
  public static DeltaWrite rowLevel(WriteTarget target, Statement statement) {
    WriteSupport.check(target.schema(), target.name().text());
    StructType rows = SparkTypes.toSpark(target.schema().rowType());
    return new KeylakeWrite(target, rows, Replacement.NOTHING, statement);
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    return options.mode() == OverwriteOptions.Mode.STATIC
        ? replaceSelected(new OverwriteScope.WholeTable())
        : replaceSelected(writtenPartitions());
  }

  private OverwriteScope writtenPartitions() {
    return target.schema().partitionKeys().isEmpty()
        ? new OverwriteScope.WholeTable()
        : new OverwriteScope.WrittenPartitions();
  }

  private WriteBuilder replaceSelected(OverwriteScope unlessSelected) {
    return SparkErrors.translating(
        () ->
            options
                .condition(target.schema(), target.name().text())
                .map(this::replaceWhere)
                .orElseGet(() -> replace(unlessSelected)));
  }

  private WriteBuilder replace(OverwriteScope scope) {
    replacement = Replacement.of(scope);
    return this;
  }

  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return true;
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    return SparkErrors.translating(
        () -> {
          if (options.replaceWhere() != null) {
            throw new InvalidRequestException(
                Condition.KEYLAKE_INVALID_OPTION,
                "The overwrite of "
                    + target.name().text()
                    + " has a condition and the option '"
                    + OverwriteOptions.REPLACE_WHERE
                    + "', too. Leave the option out.");
          }
          return replaceWhere(
              RowCondition.of(predicates)
                  .orElseThrow(() -> notKnown(RowCondition.text(predicates)))
                  .resolvedOn(target.schema()));
        });
  }

  private WriteBuilder replaceWhere(RowCondition condition) {
    Optional<OverwriteScope> partitions = SelectedPartitions.of(target.schema(), condition);
    if (partitions.isPresent()) {
      return replace(partitions.get());
    }
    if (rows == null || condition.test(target.schema().rowType()).isEmpty()) {
      throw notKnown(condition.text());
    }
    checkTakesRows(condition);
    replacedRows = condition;
    return this;
  }

  private void checkTakesRows(RowCondition condition) {
    BucketMode mode = target.bucketMode();
    if (mode instanceof BucketMode.CrossPartition || mode instanceof BucketMode.Postpone) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot overwrite rows of "
              + target.name().text()
              + " where "
              + condition.text()
              + ": where a new row goes in this table depends on rows that the statement removes"
              + " (primary key without the partition columns, or 'bucket' = '-2'). DELETE the rows"
              + " first, then INSERT.");
    }
    if (target.partialColumns().isPresent()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot overwrite rows of "
              + target.name().text()
              + " where "
              + condition.text()
              + " with rows that set some columns only: there is no row left to take the others"
              + " from. Write whole rows.");
    }
  }

  private InvalidRequestException notKnown(String condition) {
    return new InvalidRequestException(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        "Cannot overwrite rows of "
            + target.name().text()
            + " where "
            + condition
            + ": whether that is true cannot be told from a row alone. State the condition by"
            + " deterministic expressions on the table's columns, or give it as the option '"
            + OverwriteOptions.REPLACE_WHERE
            + "'.");
  }

  @Override
  public Write build() {
    return SparkErrors.translating(
        () -> {
          if (options.replaceWhere() != null
              && !replacement.replacesPartitions()
              && replacedRows == null) {
            throw new InvalidRequestException(
                Condition.KEYLAKE_INVALID_OPTION,
                "The option '"
                    + OverwriteOptions.REPLACE_WHERE
                    + "' of a write to "
                    + target.name().text()
                    + " needs an overwrite: use mode(\"overwrite\"), or leave the option out.");
          }
          WriteSupport.check(target.schema(), target.name().text());
          target.kinds();
          target.crossWrite(replacement.scope()).ifPresent(CrossWrite::check);
          if (rows != null && replacedRows != null) {
            return rows.write(replacedRows, info);
          }
          return new KeylakeWrite(target, info.schema(), replacement, null);
        });
  }
}
