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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Puts files of a bucket of an append table together so that its rows keep the order of writing:
 * only neighbours by sequence number are written into one file.
 *
 * <ol>
 *   <li>Minor: the first {@code compaction.min.file-num} neighbours that together, one after the
 *       other, stay below twice the target size; besides, each file of whose rows more than {@code
 *       compaction.delete-ratio-threshold} are deleted.
 *   <li>Full: the large files at the start stay. If the rest has at least 3 files, more of them to
 *       rewrite than to keep, all of it is rewritten; else every two or more neighbours that are
 *       small, and every file with deleted rows.
 * </ol>
 *
 * <p>Rule source: table behaviour, bucketed append tables; pinned by {@code
 * OrderedAppendCompactionTest}.
 */
final class OrderedAppendCompaction implements BucketCompaction {
  private static final int MIN_FILES_OF_FULL = 3;

  private static final Comparator<DataFile> BY_SEQUENCE =
      Comparator.comparingLong(DataFile::minSequenceNumber)
          .thenComparingLong(DataFile::maxSequenceNumber)
          .thenComparing(DataFile::name);

  private final AppendRules rules;
  private final FileAddresses addresses;

  OrderedAppendCompaction(AppendRules rules, FileAddresses addresses) {
    this.rules = rules;
    this.addresses = addresses;
  }

  @Override
  public Optional<CompactionPlan> minor(BucketFiles bucket) {
    List<DataFile> files = bucket.files().stream().sorted(BY_SEQUENCE).toList();
    List<DataFile> window = window(files);
    List<List<DataFile>> lists = new ArrayList<>();
    if (!window.isEmpty()) {
      lists.add(window);
    }
    files.stream()
        .filter(file -> !window.contains(file))
        .filter(file -> rules.isMuchDeleted(file, bucket.vectors().get(file.name())))
        .forEach(file -> lists.add(List.of(file)));
    return new BucketInputs(bucket, addresses).concatenations(lists);
  }

  private List<DataFile> window(List<DataFile> files) {
    Deque<DataFile> window = new ArrayDeque<>();
    long bytes = 0;
    for (DataFile file : files) {
      window.add(file);
      bytes += file.size();
      if (window.size() >= rules.minFiles()) {
        return List.copyOf(window);
      }
      if (bytes >= 2 * rules.targetBytes()) {
        bytes -= window.removeFirst().size();
      }
    }
    return List.of();
  }

  @Override
  public Optional<CompactionPlan> full(BucketFiles bucket) {
    List<DataFile> rest =
        bucket.files().stream()
            .sorted(BY_SEQUENCE)
            .dropWhile(file -> !isWanted(file, bucket))
            .toList();
    long wanted = rest.stream().filter(file -> isWanted(file, bucket)).count();
    List<List<DataFile>> lists = new ArrayList<>();
    if (rest.size() >= MIN_FILES_OF_FULL && wanted > rest.size() - wanted) {
      addBins(rest, bucket, lists);
    } else {
      List<DataFile> neighbours = new ArrayList<>();
      for (DataFile file : rest) {
        if (isWanted(file, bucket)) {
          neighbours.add(file);
        } else {
          addBins(neighbours, bucket, lists);
          neighbours = new ArrayList<>();
        }
      }
      addBins(neighbours, bucket, lists);
    }
    return new BucketInputs(bucket, addresses).concatenations(lists);
  }

  private void addBins(List<DataFile> neighbours, BucketFiles bucket, List<List<DataFile>> lists) {
    for (List<DataFile> bin : rules.fullBins(neighbours)) {
      if (bin.size() >= 2 || isForced(bin.get(0), bucket)) {
        lists.add(bin);
      }
    }
  }

  private boolean isWanted(DataFile file, BucketFiles bucket) {
    return rules.isSmall(file) || isForced(file, bucket);
  }

  private boolean isForced(DataFile file, BucketFiles bucket) {
    return rules.rewritesAllFiles() || bucket.vectors().containsKey(file.name());
  }
}
