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

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkPredicates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.PartitionPredicate;

/**
 * What a scan does about a statement's conditions. Immutable.
 *
 * <ol>
 *   <li>Conditions on partition columns alone are applied exactly: as predicates of the format
 *       where it can say them, else by asking Spark once for each partition.
 *   <li>All others only skip what cannot match; Spark evaluates them again on the rows.
 * </ol>
 *
 * @param partition conditions on partition columns alone
 * @param asked conditions on partition columns that Spark evaluates for each partition
 * @param skipping conditions that skip files, row groups and pages
 * @param pushed everything used, as Spark gave it
 * @param residual what Spark still evaluates, as Spark gave it
 */
public record ScanFilters(
    List<Predicate> partition,
    List<PartitionPredicate> asked,
    List<Predicate> skipping,
    List<org.apache.spark.sql.connector.expressions.filter.Predicate> pushed,
    List<org.apache.spark.sql.connector.expressions.filter.Predicate> residual) {
  /** No condition. */
  public static final ScanFilters NONE =
      new ScanFilters(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Copies the lists. */
  public ScanFilters {
    partition = List.copyOf(partition);
    asked = List.copyOf(asked);
    skipping = List.copyOf(skipping);
    pushed = List.copyOf(pushed);
    residual = List.copyOf(residual);
  }

  /** These conditions and {@code more}. */
  public ScanFilters and(
      TableSchema schema, org.apache.spark.sql.connector.expressions.filter.Predicate[] more) {
    SparkPredicates conversion = new SparkPredicates(schema.rowType());
    ScanFilters all = this;
    for (org.apache.spark.sql.connector.expressions.filter.Predicate predicate : more) {
      all = all.and(schema, conversion, predicate);
    }
    return all;
  }

  private ScanFilters and(
      TableSchema schema,
      SparkPredicates conversion,
      org.apache.spark.sql.connector.expressions.filter.Predicate predicate) {
    if (predicate instanceof PartitionPredicate partitionPredicate) {
      return new ScanFilters(
          partition, with(asked, partitionPredicate), skipping, with(pushed, predicate), residual);
    }
    Optional<Predicate> exact =
        isOnPartition(schema, predicate) ? conversion.exact(predicate) : Optional.empty();
    if (exact.isPresent()) {
      return new ScanFilters(
          with(partition, exact.get()), asked, skipping, with(pushed, predicate), residual);
    }
    Optional<Predicate> weakened = conversion.weakened(predicate);
    return new ScanFilters(
        partition,
        asked,
        weakened.map(skip -> with(skipping, skip)).orElse(skipping),
        weakened.isPresent() ? with(pushed, predicate) : pushed,
        with(residual, predicate));
  }

  private static boolean isOnPartition(
      TableSchema schema, org.apache.spark.sql.connector.expressions.filter.Predicate predicate) {
    NamedReference[] references = predicate.references();
    return references.length > 0
        && Arrays.stream(references)
            .allMatch(
                reference ->
                    reference.fieldNames().length == 1
                        && schema.partitionKeys().contains(reference.fieldNames()[0]));
  }

  /** Whether some condition chooses among partitions. */
  boolean chooseAmongPartitions(TableSchema schema) {
    return !partition.isEmpty()
        || !asked.isEmpty()
        || residual.stream().anyMatch(predicate -> isOnPartition(schema, predicate));
  }

  /** Whether these conditions leave out the same files as the other ones. */
  boolean sameEffect(ScanFilters other) {
    return partition.equals(other.partition)
        && asked.equals(other.asked)
        && skipping.equals(other.skipping);
  }

  /** For plan texts. */
  public String describe() {
    return "pushed=["
        + pushed.stream().map(Object::toString).collect(Collectors.joining(", "))
        + "], residual=["
        + residual.stream().map(Object::toString).collect(Collectors.joining(", "))
        + "]";
  }

  private static <T> List<T> with(List<? extends T> list, T element) {
    List<T> longer = new ArrayList<>(list);
    longer.add(element);
    return longer;
  }
}
