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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.index.FileIndexEvaluator;
import io.keylake.format.index.FileIndexes;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.predicate.StatsEvaluator;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.types.DataField;
import io.keylake.table.evolution.StoredColumns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides from statistics and file indexes which files of a bucket can hold wanted rows.
 *
 * <ol>
 *   <li>A condition on keys only removes a file altogether: none of its keys is wanted, so it
 *       cannot hide a wanted row either.
 *   <li>A condition on values never removes a file of a merged table: its rows need not be scanned,
 *       but they may be newer versions that hide rows of other files.
 *   <li>Where rows of a key are folded it does not leave out a bucket either: the folded value may
 *       satisfy it though no file has such a value. Only the files of keys that are in no other
 *       file are left out, when splits are planned.
 *   <li>Where files are not merged (append tables; the unmerged view of tables with deletion
 *       vectors and of first-row tables) every condition removes files.
 * </ol>
 *
 * <p>Rule source: design of merge-on-read, and table behaviour, filter push-down; pinned by {@code
 * ScanPlannerTest}.
 */
final class FilePruner {
  private static final String INDEX_SUFFIX = ".index";

  /** What files of a bucket do to one another. */
  enum Merging {
    UNMERGED,
    /** They hide rows of one another. */
    MERGED,
    /** Their rows together make rows with values of their own. */
    FOLDED
  }

  /** Whether file indexes are asked. */
  enum IndexUse {
    USED,
    IGNORED
  }

  private final FileIO io;
  private final FileAddresses addresses;
  private final Merging merging;
  private final IndexUse indexUse;
  private final Conditions conditions;
  private final List<StatsEvaluator> keyTests;
  private final List<StatsEvaluator> allTests;
  private final FileBounds bounds;

  FilePruner(
      FileIO io,
      FileAddresses addresses,
      FileBounds bounds,
      Conditions conditions,
      Merging merging,
      IndexUse indexUse) {
    this.io = io;
    this.addresses = addresses;
    this.bounds = bounds;
    this.conditions = conditions;
    this.merging = merging;
    this.indexUse = indexUse;
    this.keyTests = conditions.key().stream().map(StatsEvaluator::of).toList();
    this.allTests = conditions.value().stream().map(StatsEvaluator::of).toList();
  }

  /** The buckets with what is left of their files; buckets without units are left out. */
  List<BucketFiles> prune(List<BucketFiles> buckets) {
    if (keyTests.isEmpty() && allTests.isEmpty()) {
      return buckets;
    }
    List<BucketFiles> byStats =
        buckets.stream().map(this::pruneByStats).filter(this::isNeeded).toList();
    if (merging != Merging.UNMERGED || indexUse == IndexUse.IGNORED || !asksIndexes()) {
      return byStats;
    }
    List<BucketFiles> kept = new ArrayList<>();
    ParallelReads.forEach(
        byStats,
        this::pruneByIndex,
        bucket -> {
          if (bucket.hasUnits()) {
            kept.add(bucket);
          }
        });
    return kept;
  }

  private boolean isNeeded(BucketFiles bucket) {
    return merging == Merging.FOLDED ? !bucket.files().isEmpty() : bucket.hasUnits();
  }

  private BucketFiles pruneByStats(BucketFiles bucket) {
    List<DataFile> kept = new ArrayList<>();
    Set<String> probesOnly = new HashSet<>(bucket.probesOnly());
    for (DataFile file : bucket.files()) {
      if (!mayMatch(keyTests, bucket.partition(), file)) {
        continue;
      }
      if (mayMatch(allTests, bucket.partition(), file)) {
        kept.add(file);
      } else if (merging != Merging.UNMERGED) {
        kept.add(file);
        probesOnly.add(file.name());
      }
    }
    return bucket.with(kept, probesOnly);
  }

  private boolean mayMatch(List<StatsEvaluator> tests, BinaryRow partition, DataFile file) {
    return tests.stream()
        .allMatch(
            test -> test.mayMatch(file.rowCount(), column -> bounds.of(column, partition, file)));
  }

  private BucketFiles pruneByIndex(BucketFiles bucket) {
    return bucket.with(
        bucket.files().stream().filter(file -> indexMayMatch(bucket, file)).toList(),
        bucket.probesOnly());
  }

  private boolean indexMayMatch(BucketFiles bucket, DataFile file) {
    FileIndexes indexes = indexes(bucket, file);
    if (indexes == null) {
      return true;
    }
    StoredColumns columns = bounds.columns(file);
    FileIndexEvaluator evaluator =
        new FileIndexEvaluator(indexes, column -> sameTyped(column, columns));
    return conditions.all().stream().allMatch(evaluator::mayMatch);
  }

  private static @Nullable DataField sameTyped(DataField column, StoredColumns columns) {
    return columns
        .find(column)
        .filter(field -> field.type().asNullable().equals(column.type().asNullable()))
        .orElse(null);
  }

  private @Nullable FileIndexes indexes(BucketFiles bucket, DataFile file) {
    String path = addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
    Bytes embedded = file.embeddedIndex();
    if (embedded != null) {
      return FileIndexes.decode(embedded.array(), path);
    }
    Optional<String> side =
        file.extraFiles().stream().filter(name -> name.endsWith(INDEX_SUFFIX)).findFirst();
    if (side.isEmpty()) {
      return null;
    }
    var address = addresses.extraFile(bucket.partition(), bucket.bucket(), file, side.get());
    return FileIndexes.decode(io.read(address), address.path());
  }

  /** Whether some comparison is of a kind that file indexes answer. */
  private boolean asksIndexes() {
    return conditions.all().stream()
        .flatMap(predicate -> Predicates.leaves(predicate).stream())
        .map(Leaf::operator)
        .anyMatch(
            operator ->
                switch (operator) {
                  case EQUAL, NOT_EQUAL, IN, NOT_IN, IS_NULL, IS_NOT_NULL -> true;
                  case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, STARTS_WITH -> false;
                });
  }
}
