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

package io.keylake.spark.read.changes;

import io.keylake.format.predicate.RowEvaluator;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeColumn.Meta;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkPredicates;
import io.keylake.spark.read.ScanFilters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.PartitionPredicate;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * What a read of changes does about a statement's conditions. Immutable.
 *
 * <ol>
 *   <li>Conditions on the commit alone leave out commits, conditions on the kind alone leave out
 *       rows; both exactly.
 *   <li>Conditions on columns of the table act as in any scan: every change row stands for itself.
 *   <li>Nothing acts on arrays of old and new values.
 * </ol>
 *
 * @param table conditions on columns of the table
 * @param commit conditions on {@code _commit_version} and {@code _commit_timestamp}
 * @param kinds kinds of rows that satisfy the conditions on kinds
 * @param pushed everything else that is used, as Spark gave it
 * @param residual what Spark still evaluates besides the table's
 */
record ChangeFilters(
    ScanFilters table,
    List<io.keylake.format.predicate.Predicate> commit,
    Set<ChangeKind> kinds,
    List<Predicate> pushed,
    List<Predicate> residual) {
  static final ChangeFilters NONE =
      new ChangeFilters(ScanFilters.NONE, List.of(), ChangeSpec.ALL_KINDS, List.of(), List.of());

  private static final RowType COMMIT_TYPE =
      RowType.of(
          List.of(
              DataField.of(0, ChangeForm.COMMIT_VERSION, DataTypes.BIGINT),
              DataField.of(1, ChangeForm.COMMIT_TIMESTAMP, DataTypes.timestampLtz(6))));

  ChangeFilters {
    commit = List.copyOf(commit);
    kinds = Set.copyOf(kinds);
    pushed = List.copyOf(pushed);
    residual = List.copyOf(residual);
  }

  /** These conditions and {@code more}. */
  ChangeFilters and(ChangeForm form, TableSchema schema, Predicate[] more) {
    ChangeFilters all = this;
    for (Predicate predicate : more) {
      all = all.and(form, schema, predicate);
    }
    return all;
  }

  private ChangeFilters and(ChangeForm form, TableSchema schema, Predicate predicate) {
    Set<Meta> meta = EnumSet.noneOf(Meta.class);
    boolean isOnTable = predicate instanceof PartitionPredicate;
    for (NamedReference reference : predicate.references()) {
      Optional<Meta> found = form.meta(reference.fieldNames()[0]);
      found.ifPresent(meta::add);
      isOnTable |= found.isEmpty();
    }
    if (form == ChangeForm.BINLOG || (isOnTable && !meta.isEmpty())) {
      return withResidual(predicate);
    }
    if (isOnTable) {
      return new ChangeFilters(
          table.and(schema, new Predicate[] {predicate}), commit, kinds, pushed, residual);
    }
    if (EnumSet.of(Meta.COMMIT_VERSION, Meta.COMMIT_TIMESTAMP).containsAll(meta)) {
      return new SparkPredicates(COMMIT_TYPE)
          .exact(predicate)
          .map(exact -> withCommit(predicate, exact))
          .orElseGet(() -> withResidual(predicate));
    }
    return meta.size() == 1 && !meta.contains(Meta.SEQUENCE_NUMBER)
        ? withKinds(predicate, meta.iterator().next())
        : withResidual(predicate);
  }

  private ChangeFilters withResidual(Predicate predicate) {
    return new ChangeFilters(table, commit, kinds, pushed, with(residual, predicate));
  }

  private ChangeFilters withCommit(
      Predicate predicate, io.keylake.format.predicate.Predicate exact) {
    return new ChangeFilters(table, with(commit, exact), kinds, with(pushed, predicate), residual);
  }

  private ChangeFilters withKinds(Predicate predicate, Meta meta) {
    RowType type =
        RowType.of(List.of(DataField.of(0, predicateColumn(predicate), DataTypes.STRING)));
    return new SparkPredicates(type)
        .exact(predicate)
        .map(exact -> RowEvaluator.of(exact, type))
        .map(
            test ->
                new ChangeFilters(
                    table,
                    commit,
                    kinds.stream()
                        .filter(kind -> test.matches(List.of(meta.text(kind))))
                        .collect(Collectors.toSet()),
                    with(pushed, predicate),
                    residual))
        .orElseGet(() -> withResidual(predicate));
  }

  private static String predicateColumn(Predicate predicate) {
    return predicate.references()[0].fieldNames()[0];
  }

  private static <T> List<T> with(List<T> list, T element) {
    List<T> longer = new ArrayList<>(list);
    longer.add(element);
    return longer;
  }

  /** Whether changes of a commit are wanted. */
  boolean wants(long version, long timeMillis) {
    return commit.isEmpty()
        || commitTest().stream().allMatch(test -> matches(test, version, timeMillis));
  }

  /** Whether changes of a version may be wanted, whatever its time. */
  boolean mayWant(long version) {
    return commit.stream()
        .filter(condition -> onlyOnVersion(condition))
        .map(condition -> RowEvaluator.of(condition, COMMIT_TYPE))
        .allMatch(test -> matches(test, version, 0));
  }

  private static boolean onlyOnVersion(io.keylake.format.predicate.Predicate condition) {
    return io.keylake.format.predicate.Predicates.fieldIds(condition).equals(Set.of(0));
  }

  private List<RowEvaluator> commitTest() {
    return commit.stream().map(condition -> RowEvaluator.of(condition, COMMIT_TYPE)).toList();
  }

  private static boolean matches(RowEvaluator test, long version, long timeMillis) {
    Object time =
        PartitionRows.toFormat(
            TimeUnit.MILLISECONDS.toMicros(timeMillis), COMMIT_TYPE.field(1).type());
    return test.matches(Arrays.asList(version, time));
  }

  /** Everything that is used, as Spark gave it. */
  List<Predicate> allPushed() {
    List<Predicate> all = new ArrayList<>(table.pushed());
    all.addAll(pushed);
    return all;
  }

  /** Everything that Spark still evaluates, as it gave it. */
  List<Predicate> allResidual() {
    List<Predicate> all = new ArrayList<>(table.residual());
    all.addAll(residual);
    return all;
  }

  /** For plan texts. */
  String describe() {
    return "pushed=" + allPushed() + ", residual=" + allResidual();
  }
}
