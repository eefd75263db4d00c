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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Puts files of append tables together whose rows need not keep an order: those of a partition
 * without buckets, or of a bucket with {@code bucket-append-ordered} = false.
 *
 * <ol>
 *   <li>Candidates of a minor compaction: files that are small, and files of whose rows more than
 *       {@code compaction.delete-ratio-threshold} are deleted; the smallest {@code
 *       compaction.file-num-limit} of them.
 *   <li>Those without deleted rows, smallest first, are cut into bins of twice the target size; a
 *       last, smaller bin is written if it has {@code compaction.min.file-num} files.
 *   <li>Those with deleted rows are cut into bins by the index file that holds their vectors; all
 *       are written.
 *   <li>Candidates of a full compaction: small files and all files with deleted rows. Two small
 *       files are enough. What it wrote is no candidate again, but for one small file.
 * </ol>
 *
 * <p>Rule source: table behaviour, small file compaction of unaware tables; pinned by {@code
 * AppendCompactionTest}.
 */
final class AppendCompaction implements BucketCompaction {
  private static final Comparator<DataFile> BY_SIZE =
      Comparator.comparingLong(DataFile::size).thenComparing(DataFile::name);

  private static final Comparator<DataFile> BY_AGE =
      Comparator.comparing(
              DataFile::creationTimeMillis, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparingLong(DataFile::minSequenceNumber)
          .thenComparing(DataFile::name);

  private final AppendRules rules;
  private final FileAddresses addresses;

  AppendCompaction(AppendRules rules, FileAddresses addresses) {
    this.rules = rules;
    this.addresses = addresses;
  }

  @Override
  public Optional<CompactionPlan> minor(BucketFiles bucket) {
    Map<String, IndexedVector> vectors = bucket.vectors();
    List<DataFile> intact = new ArrayList<>();
    Map<String, List<DataFile>> byIndexFile = new LinkedHashMap<>();
    bucket.files().stream()
        .filter(file -> rules.isSmall(file) || rules.isMuchDeleted(file, vectors.get(file.name())))
        .sorted(BY_SIZE)
        .limit(rules.maxFiles())
        .forEach(
            file -> {
              IndexedVector vector = vectors.get(file.name());
              List<DataFile> members =
                  vector == null
                      ? intact
                      : byIndexFile.computeIfAbsent(vector.path(), path -> new ArrayList<>());
              members.add(file);
            });
    List<List<DataFile>> bins = new ArrayList<>();
    byIndexFile.values().forEach(members -> bins.addAll(rules.bins(members)));
    rules.bins(intact).stream()
        .filter(bin -> rules.isComplete(bin) || bin.size() >= rules.minFiles())
        .forEach(bins::add);
    return plan(bucket, bins);
  }

  @Override
  public Optional<CompactionPlan> full(BucketFiles bucket) {
    Predicate<DataFile> forced =
        file -> rules.rewritesAllFiles() || bucket.vectors().containsKey(file.name());
    List<DataFile> candidates =
        bucket.files().stream()
            .filter(file -> rules.isSmall(file) || forced.test(file))
            .sorted(BY_SIZE)
            .toList();
    return plan(
        bucket,
        rules.fullBins(candidates).stream()
            .filter(bin -> bin.size() >= 2 || bin.stream().anyMatch(forced))
            .toList());
  }

  private Optional<CompactionPlan> plan(BucketFiles bucket, Collection<List<DataFile>> bins) {
    BucketInputs inputs = new BucketInputs(bucket, addresses);
    return inputs.concatenations(bins.stream().map(AppendCompaction::inOrder).toList());
  }

  private static List<DataFile> inOrder(List<DataFile> bin) {
    return bin.stream().sorted(BY_AGE).toList();
  }
}
