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

package io.keylake.extensions.planning;

import io.keylake.extensions.planning.ScanGroups.Member;
import io.keylake.spark.read.layout.KeyPart;
import io.keylake.spark.read.layout.TableLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;

/**
 * The keys by which scans are to be laid out for a join or a grouping.
 *
 * <ol>
 *   <li>All columns of the bucket key are compared; in a join, columns at the same positions of
 *       both keys with each other, and both keys hash alike.
 *   <li>Values of partition columns are parts of the key where they are compared, in a join with
 *       partition columns of the same type.
 *   <li>In a join, Spark wants a part for every compared column ({@code
 *       spark.sql.requireAllClusterKeysForCoPartition}): the others stand for any value.
 * </ol>
 */
@SuppressWarnings("ReferenceEquality") // nodes of a plan are told apart by identity
final class LayoutChoice {
  /** What becomes of columns that a join compares and that the layout does not need. */
  enum OtherColumns {
    /** They are parts that stand for any value. */
    ANY_VALUE,
    LEFT_OUT
  }

  private final OtherColumns others;

  LayoutChoice(OtherColumns others) {
    this.others = others;
  }

  /**
   * The two scans of a join.
   *
   * @param left scan of the left side
   * @param right scan of the right side
   */
  record Pair(Member left, Member right) {}

  /** The scans below a join that compares these columns pairwise. */
  Optional<Pair> ofJoin(
      LogicalPlan left, List<Expression> leftKeys, LogicalPlan right, List<Expression> rightKeys) {
    List<ReadColumn> leftColumns = columns(left, leftKeys);
    List<ReadColumn> rightColumns = columns(right, rightKeys);
    if (!areOfOneScan(leftColumns, leftKeys) || !areOfOneScan(rightColumns, rightKeys)) {
      return Optional.empty();
    }
    Optional<TableLayout> leftLayout = leftColumns.get(0).scan().layout();
    Optional<TableLayout> rightLayout = rightColumns.get(0).scan().layout();
    if (leftLayout.isEmpty()
        || rightLayout.isEmpty()
        || !leftLayout.get().key().isLike(rightLayout.get().key())) {
      return Optional.empty();
    }
    return parts(leftColumns, leftLayout.get(), rightColumns, rightLayout.get());
  }

  private Optional<Pair> parts(
      List<ReadColumn> leftColumns,
      TableLayout left,
      List<ReadColumn> rightColumns,
      TableLayout right) {
    List<String> leftNames = leftColumns.stream().map(ReadColumn::name).toList();
    List<String> rightNames = rightColumns.stream().map(ReadColumn::name).toList();
    List<KeyPart> leftParts = new ArrayList<>();
    List<KeyPart> rightParts = new ArrayList<>();
    Set<Integer> used = new HashSet<>();
    for (String column : left.partition().keySet()) {
      int at = leftNames.indexOf(column);
      String type = left.partition().get(column);
      if (at >= 0 && type != null && type.equals(right.partition().get(rightNames.get(at)))) {
        used.add(at);
        leftParts.add(new KeyPart.PartitionValue(column));
        rightParts.add(new KeyPart.PartitionValue(rightNames.get(at)));
      }
    }
    for (int i = 0; i < left.key().columns().size(); i++) {
      int at = leftNames.indexOf(left.key().columns().get(i));
      if (at < 0 || !rightNames.get(at).equals(right.key().columns().get(i)) || !used.add(at)) {
        return Optional.empty();
      }
      leftParts.add(new KeyPart.BucketNumber(leftNames.get(at), i));
      rightParts.add(new KeyPart.BucketNumber(rightNames.get(at), i));
    }
    for (int at = 0; at < leftNames.size() && others == OtherColumns.ANY_VALUE; at++) {
      if (used.add(at)) {
        leftParts.add(new KeyPart.AnyValue(leftNames.get(at)));
        rightParts.add(new KeyPart.AnyValue(rightNames.get(at)));
      }
    }
    return Optional.of(
        new Pair(
            new Member(leftColumns.get(0).relation(), left, leftParts),
            new Member(rightColumns.get(0).relation(), right, rightParts)));
  }

  /** The scans below a grouping by these columns, or a window over them. */
  List<Member> ofGrouping(LogicalPlan child, List<Expression> keys) {
    List<ReadColumn> columns = columns(child, keys);
    List<Member> members = new ArrayList<>();
    Set<DataSourceV2ScanRelation> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ReadColumn column : columns) {
      if (seen.add(column.relation())) {
        List<String> names =
            columns.stream()
                .filter(other -> other.relation() == column.relation())
                .map(ReadColumn::name)
                .toList();
        column
            .scan()
            .layout()
            .filter(layout -> names.containsAll(layout.key().columns()))
            .ifPresent(layout -> members.add(grouped(column.relation(), layout, names)));
      }
    }
    return members;
  }

  private static Member grouped(
      DataSourceV2ScanRelation relation, TableLayout layout, List<String> names) {
    List<KeyPart> parts = new ArrayList<>();
    layout.partition().keySet().stream()
        .filter(names::contains)
        .forEach(column -> parts.add(new KeyPart.PartitionValue(column)));
    for (int i = 0; i < layout.key().columns().size(); i++) {
      parts.add(new KeyPart.BucketNumber(layout.key().columns().get(i), i));
    }
    return new Member(relation, layout, parts);
  }

  /** The key without the values of partition columns. */
  List<KeyPart> coarser(List<KeyPart> parts) {
    List<KeyPart> fewer = new ArrayList<>();
    for (KeyPart part : parts) {
      if (!(part instanceof KeyPart.PartitionValue)) {
        fewer.add(part);
      } else if (others == OtherColumns.ANY_VALUE) {
        fewer.add(new KeyPart.AnyValue(part.column()));
      }
    }
    return fewer;
  }

  private static List<ReadColumn> columns(LogicalPlan plan, List<Expression> keys) {
    return keys.stream().flatMap(key -> ReadColumn.of(plan, key).stream()).toList();
  }

  private static boolean areOfOneScan(List<ReadColumn> columns, List<Expression> keys) {
    return !columns.isEmpty()
        && columns.size() == keys.size()
        && columns.stream().allMatch(column -> column.relation() == columns.get(0).relation())
        && columns.stream().map(ReadColumn::name).distinct().count() == keys.size();
  }
}
