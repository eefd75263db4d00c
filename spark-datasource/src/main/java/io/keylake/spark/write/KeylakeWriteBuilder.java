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
import io.keylake.format.predicate.RowEvaluator;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkPredicates;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.write.change.Statement;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.support.WriteSupport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDynamicOverwrite;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;

/**
 * What one statement writes: by default rows are added; {@link #truncate}, {@link #overwrite} and
 * {@link #overwriteDynamicPartitions} say what is replaced in the same commit.
 */
public final class KeylakeWriteBuilder
    implements WriteBuilder, SupportsOverwriteV2, SupportsDynamicOverwrite {
  private final WriteTarget target;
  private final LogicalWriteInfo info;
  private Replacement replacement = Replacement.NOTHING;

  /** A builder of a write to {@code target}. */
  public KeylakeWriteBuilder(WriteTarget target, LogicalWriteInfo info) {
    this.target = target;
    this.info = info;
  }

  /** What a row-level statement on a primary-key table writes. */
  public static DeltaWrite rowLevel(WriteTarget target, Statement statement) {
    WriteSupport.check(target.schema(), target.name().text());
    StructType rows = SparkTypes.toSpark(target.schema().rowType());
    return new KeylakeWrite(target, rows, Replacement.NOTHING, statement);
  }

  @Override
  public WriteBuilder truncate() {
    replacement = Replacement.of(new OverwriteScope.WholeTable());
    return this;
  }

  @Override
  public boolean canOverwrite(Predicate[] predicates) {
    return partitionFilter(predicates).isPresent();
  }

  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    RowEvaluator filter =
        partitionFilter(predicates)
            .orElseThrow(
                () ->
                    SparkErrors.toSpark(
                        new InvalidRequestException(
                            Condition.KEYLAKE_UNSUPPORTED_OPERATION,
                            "Cannot overwrite rows of "
                                + target.name().text()
                                + " where "
                                + text(predicates)
                                + ": only conditions on the partition columns "
                                + target.schema().partitionKeys()
                                + " select what is replaced. Delete the rows first, then"
                                + " insert.")));
    replacement = Replacement.of(new OverwriteScope.Partitions(filter::matches, text(predicates)));
    return this;
  }

  @Override
  public WriteBuilder overwriteDynamicPartitions() {
    replacement =
        Replacement.of(
            target.schema().partitionKeys().isEmpty()
                ? new OverwriteScope.WholeTable()
                : new OverwriteScope.WrittenPartitions());
    return this;
  }

  @Override
  public Write build() {
    return SparkErrors.translating(
        () -> {
          WriteSupport.check(target.schema(), target.name().text());
          target.kinds();
          return new KeylakeWrite(target, info.schema(), replacement, null);
        });
  }

  /** The filter as one on partitions; empty when it asks for more than partition columns. */
  private Optional<RowEvaluator> partitionFilter(Predicate[] predicates) {
    RowType partitionType = target.schema().partitionType();
    SparkPredicates converter = new SparkPredicates(partitionType);
    List<io.keylake.format.predicate.Predicate> parts = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Optional<io.keylake.format.predicate.Predicate> part =
          predicate.name().equals("ALWAYS_TRUE") ? Optional.empty() : converter.exact(predicate);
      if (part.isEmpty() && !predicate.name().equals("ALWAYS_TRUE")) {
        return Optional.empty();
      }
      part.ifPresent(parts::add);
    }
    return Optional.of(
        RowEvaluator.of(new io.keylake.format.predicate.Predicate.And(parts), partitionType));
  }

  private static String text(Predicate[] predicates) {
    return Arrays.stream(predicates).map(Predicate::toString).collect(Collectors.joining(" AND "));
  }
}
