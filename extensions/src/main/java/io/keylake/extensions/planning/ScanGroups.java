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

import io.keylake.spark.read.layout.KeyPart;
import io.keylake.spark.read.layout.KeyedScan;
import io.keylake.spark.read.layout.ReportedLayout;
import io.keylake.spark.read.layout.TableLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.jspecify.annotations.Nullable;

/**
 * The scans of a plan that are to be laid out alike, because they are joined. A scan has one layout
 * in a plan; the first join that wants one decides. For one thread.
 */
@SuppressWarnings({
  "IdentityHashMapUsage",
  "ReferenceEquality"
}) // nodes of a plan are told apart by identity
final class ScanGroups {
  /**
   * A scan and how its tasks are to be keyed.
   *
   * @param relation the scan
   * @param layout what its files give
   * @param parts the key's parts
   */
  record Member(DataSourceV2ScanRelation relation, TableLayout layout, List<KeyPart> parts) {
    KeyedScan scan() {
      return (KeyedScan) relation.scan();
    }
  }

  private static final class Group {
    private final List<Member> members = new ArrayList<>();

    /** The number of buckets that all have. */
    int buckets() {
      return members.stream()
          .mapToInt(member -> member.layout().buckets())
          .reduce(0, ScanGroups::commonDivisor);
    }
  }

  private final Map<DataSourceV2ScanRelation, Group> groups = new IdentityHashMap<>();

  boolean contains(DataSourceV2ScanRelation relation) {
    return groups.containsKey(relation);
  }

  /** Wants one scan laid out like this; nothing happens when it is to be laid out already. */
  void add(Member member) {
    if (!contains(member.relation())) {
      Group group = new Group();
      group.members.add(member);
      groups.put(member.relation(), group);
    }
  }

  /** Wants two scans laid out alike; nothing happens when one is to be laid out otherwise. */
  void join(Member left, Member right) {
    if (isOtherwise(left) || isOtherwise(right)) {
      return;
    }
    add(left);
    add(right);
    Group into = groups.get(left.relation());
    Group from = groups.get(right.relation());
    if (into != from && into != null && from != null) {
      into.members.addAll(from.members);
      from.members.forEach(member -> groups.put(member.relation(), into));
    }
  }

  private boolean isOtherwise(Member wanted) {
    Group group = groups.get(wanted.relation());
    return group != null
        && group.members.stream()
            .anyMatch(
                member ->
                    member.relation() == wanted.relation()
                        && !member.parts().equals(wanted.parts()));
  }

  /**
   * The scans with the layouts that they get: the finest with which {@code isGood} for all scans of
   * a group; the others get none.
   */
  Map<DataSourceV2ScanRelation, KeyedScan> scans(
      BiPredicate<KeyedScan, ReportedLayout> isGood, Coarsening coarsening) {
    Map<DataSourceV2ScanRelation, KeyedScan> scans = new IdentityHashMap<>();
    Map<Group, Boolean> done = new HashMap<>();
    for (Group group : groups.values()) {
      if (done.put(group, true) == null) {
        layouts(group, isGood, coarsening).ifPresent(scans::putAll);
      }
    }
    return scans;
  }

  /** How a layout leaves the values of partition columns out of the key. */
  @FunctionalInterface
  interface Coarsening {
    List<KeyPart> of(List<KeyPart> parts);
  }

  private static Optional<Map<DataSourceV2ScanRelation, KeyedScan>> layouts(
      Group group, BiPredicate<KeyedScan, ReportedLayout> isGood, Coarsening coarsening) {
    Map<DataSourceV2ScanRelation, KeyedScan> fine = reporting(group, isGood, parts -> parts);
    Map<DataSourceV2ScanRelation, KeyedScan> some =
        fine == null ? reporting(group, isGood, coarsening) : fine;
    return Optional.ofNullable(some);
  }

  private static @Nullable Map<DataSourceV2ScanRelation, KeyedScan> reporting(
      Group group, BiPredicate<KeyedScan, ReportedLayout> isGood, Coarsening parts) {
    int buckets = group.buckets();
    Map<DataSourceV2ScanRelation, KeyedScan> scans = new IdentityHashMap<>();
    for (Member member : group.members) {
      ReportedLayout layout =
          new ReportedLayout(parts.of(member.parts()), member.layout().key(), buckets);
      if (!isGood.test(member.scan(), layout)) {
        return null;
      }
    }
    for (Member member : group.members) {
      scans.put(
          member.relation(),
          member
              .scan()
              .reporting(
                  new ReportedLayout(parts.of(member.parts()), member.layout().key(), buckets)));
    }
    return scans;
  }

  private static int commonDivisor(int a, int b) {
    return b == 0 ? a : commonDivisor(b, a % b);
  }
}
