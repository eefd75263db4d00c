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

package io.keylake.spark.read;

import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.read.KeylakeScan.RuntimeFilters;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ReadRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Collects what Spark's planner pushes into a read of one pinned version, and builds the scan. Used
 * by one statement, in one thread.
 */
public final class KeylakeScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownLimit,
        SupportsPushDownAggregates {
  /** Makes the stream of a scan that turns out to be a query's source. */
  @FunctionalInterface
  public interface Streams {
    /**
     * The stream.
     *
     * @param columns the columns that Spark asks for
     * @param checkpoint where the query keeps its progress in this source
     */
    MicroBatchStream open(StructType columns, String checkpoint);
  }

  private final ReadPlanner planner;
  private @Nullable Streams streams;
  private RuntimeFilters runtimeFilters;
  private ScanFilters filters = ScanFilters.NONE;
  private StructType required;
  private int limit = ScanRequest.NO_LIMIT;
  private @Nullable Scan answered;
  private @Nullable KeylakeScan built;

  /** A builder of a read of {@code target}. */
  public KeylakeScanBuilder(ReadTarget target) {
    this(target, RuntimeFilters.OFFERED);
  }

  private KeylakeScanBuilder(ReadTarget target, RuntimeFilters runtimeFilters) {
    this.planner = new ReadPlanner(target);
    this.runtimeFilters = runtimeFilters;
    this.required = SparkTypes.toSpark(target.schema().rowType());
  }

  /**
   * A builder of the read of a row-level statement. It offers no columns for filters at run time:
   * Spark would find the rows that change twice, the first time to give their keys to the scan.
   */
  public static KeylakeScanBuilder ofRowLevel(ReadTarget target) {
    return new KeylakeScanBuilder(target, RuntimeFilters.NOT_OFFERED);
  }

  /** Lets the scan be a source of streaming queries, too. */
  public KeylakeScanBuilder streaming(Streams newStreams) {
    streams = newStreams;
    return this;
  }

  /** Offers partition and key columns for filters at run time, also to a row-level statement. */
  public KeylakeScanBuilder offeringRuntimeFilters() {
    runtimeFilters = RuntimeFilters.OFFERED;
    return this;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> before = filters.residual();
    filters = filters.and(planner.target().schema(), predicates);
    List<Predicate> after = filters.residual();
    return Arrays.stream(predicates)
        .filter(predicate -> after.contains(predicate) && !before.contains(predicate))
        .toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return filters.pushed().toArray(Predicate[]::new);
  }

  @Override
  public boolean supportsIterativePushdown() {
    return true;
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    boolean isWhole = planner.foldsRows() || new OutputShape(requiredSchema).isNested();
    required = isWhole ? wholeColumns(requiredSchema) : requiredSchema;
  }

  /**
   * The same columns with all their fields: what folds a column may look at each of them, and the
   * row as it was before a statement shares its columns with the row that is read.
   */
  private StructType wholeColumns(StructType some) {
    StructType table = SparkTypes.toSpark(planner.target().schema().rowType());
    return new StructType(
        Arrays.stream(some.fields())
            .map(
                field ->
                    table.getFieldIndex(field.name()).isDefined()
                        ? table.apply(field.name())
                        : field)
            .toArray(StructField[]::new));
  }

  @Override
  public boolean pushLimit(int rows) {
    limit = rows;
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return answer(aggregation).isPresent();
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    Optional<Scan> answer = answer(aggregation);
    answered = answer.orElse(null);
    return answer.isPresent();
  }

  private Optional<Scan> answer(Aggregation aggregation) {
    return SparkErrors.translating(
        () -> new AggregatePushDown(planner, filters).answer(aggregation));
  }

  /** The files of which a scan under the conditions so far may read rows. */
  public List<BucketFiles> candidates() {
    return SparkErrors.translating(() -> planner.candidates(filters));
  }

  /** What a scan has looked for: under the conditions so far, those at run time among them. */
  public ReadRange readRange() {
    return SparkErrors.translating(
        () -> planner.readRange(built == null ? filters : built.filters()));
  }

  @Override
  public Scan build() {
    if (answered != null) {
      return answered;
    }
    KeylakeScan scan =
        SparkErrors.translating(
            () ->
                new KeylakeScan(
                    planner,
                    ScanRequest.of(planner.target(), required, filters, limit),
                    runtimeFilters,
                    streams));
    built = scan;
    return scan;
  }
}
