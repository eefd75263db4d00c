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

package io.keylake.table.difference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds what has to be read to tell two states of buckets apart. Immutable.
 *
 * <ol>
 *   <li>Files that only one state has, and those whose deletion vector or level differs, are read;
 *       a bucket without any gives no split.
 *   <li>Of a primary-key table, files that both states share are read for the keys that they may
 *       have in common with such files; others are not. See {@link KeyedDifferences}.
 *   <li>A partition that has got another number of buckets is compared as a whole: its keys may
 *       have moved from one bucket to another. Keys that moved to another partition are deleted in
 *       the one and inserted in the other.
 *   <li>Of an append table, files are read one by one where rows only came or only went; where both
 *       happened, all files of a bucket that differ are compared together.
 * </ol>
 *
 * <p>Pinned by {@code DifferencePlannerTest}.
 */
public final class DifferencePlanner {
  private final FileAddresses addresses;
  private final boolean isKeyed;
  private final KeyedDifferences keyed;
  private final AppendedDifferences appended;

  /**
   * A planner.
   *
   * @param schema the schema that is read
   * @param options the table's options with those of the query over them
   * @param addresses where the table's files are
   * @param targetBytes bytes of files that a split should have
   */
  public DifferencePlanner(
      TableSchema schema, TableOptions options, FileAddresses addresses, long targetBytes) {
    this.addresses = addresses;
    this.isKeyed = schema.hasPrimaryKey();
    this.keyed =
        new KeyedDifferences(KeyComparator.of(schema.keyType()), options.merge(), targetBytes);
    this.appended = new AppendedDifferences(targetBytes);
  }

  /**
   * The splits that tell two states apart, by partition and bucket in the order of the lists.
   *
   * @param before the buckets in the earlier state, with all files that a read of it sees; a bucket
   *     that is not named has none
   * @param after the same buckets in the later state
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_FEATURE where rows are staged in a
   *     postpone bucket
   */
  public List<DifferenceSplit> plan(List<BucketFiles> before, List<BucketFiles> after) {
    Map<BinaryRow, SortedMap<Integer, Pair>> partitions = new LinkedHashMap<>();
    before.forEach(bucket -> pair(partitions, bucket).before.add(bucket));
    after.forEach(bucket -> pair(partitions, bucket).after.add(bucket));
    List<DifferenceSplit> splits = new ArrayList<>();
    for (SortedMap<Integer, Pair> buckets : partitions.values()) {
      for (Pair pair : compared(buckets)) {
        splits.addAll(plan(pair));
      }
    }
    return splits;
  }

  private static Pair pair(
      Map<BinaryRow, SortedMap<Integer, Pair>> partitions, BucketFiles bucket) {
    if (bucket.bucket() == TableLayout.POSTPONE_BUCKET) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_FEATURE,
          "Another engine has staged rows in the postpone bucket of a partition, and changes cannot"
              + " be computed before they are in their buckets. Compact the table (CALL"
              + " sys.compact) and ask for the changes that follow.");
    }
    return partitions
        .computeIfAbsent(bucket.partition(), partition -> new TreeMap<>())
        .computeIfAbsent(bucket.bucket(), number -> new Pair());
  }

  /** What is compared with one another: the buckets one by one, or all of them together. */
  private static Collection<Pair> compared(SortedMap<Integer, Pair> buckets) {
    Set<Integer> totals = new LinkedHashSet<>();
    Pair all = new Pair();
    for (Pair pair : buckets.values()) {
      all.before.addAll(pair.before);
      all.after.addAll(pair.after);
    }
    all.before.stream()
        .filter(b -> !b.files().isEmpty())
        .forEach(b -> totals.add(b.totalBuckets()));
    all.after.stream().filter(b -> !b.files().isEmpty()).forEach(b -> totals.add(b.totalBuckets()));
    return totals.size() > 1 ? List.of(all) : buckets.values();
  }

  private List<DifferenceSplit> plan(Pair pair) {
    BucketFiles first = pair.before.isEmpty() ? pair.after.get(0) : pair.before.get(0);
    List<DifferenceFile> files =
        isKeyed
            ? keyed.files(pair.before, pair.after, addresses)
            : appended.files(pair.before, pair.after, addresses);
    if (files.stream().allMatch(DifferenceFile::isShared)) {
      return List.of();
    }
    return isKeyed ? keyed.splits(first, files) : appended.splits(first, files);
  }

  /** One or several buckets in both states. */
  private static final class Pair {
    private final List<BucketFiles> before = new ArrayList<>();
    private final List<BucketFiles> after = new ArrayList<>();
  }
}
