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

import io.keylake.format.datafile.DataFile;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is read to tell two states of an append table apart.
 *
 * <ol>
 *   <li>Where rows only came, or only went, files are read one by one, in the order of writing.
 *   <li>Where both happened, rows may have moved from one file to another: all files of the bucket
 *       that differ are one split.
 * </ol>
 */
final class AppendedDifferences {
  private final long targetBytes;

  AppendedDifferences(long targetBytes) {
    this.targetBytes = targetBytes;
  }

  List<DifferenceFile> files(
      List<BucketFiles> before, List<BucketFiles> after, FileAddresses addresses) {
    FilePairs pairs = new FilePairs(addresses);
    for (BucketFiles bucket : before) {
      bucket.files().forEach(file -> pairs.addBefore(bucket, file.withoutDeletes(), 0));
    }
    for (BucketFiles bucket : after) {
      bucket.files().forEach(file -> pairs.addAfter(bucket, file.withoutDeletes(), 0));
    }
    return pairs.files();
  }

  List<DifferenceSplit> splits(BucketFiles bucket, List<DifferenceFile> files) {
    List<DifferenceFile> different =
        files.stream()
            .filter(file -> !file.isShared())
            .sorted(
                Comparator.comparing(
                    DifferenceFile::file, Comparator.comparingLong(DataFile::minSequenceNumber)))
            .toList();
    boolean rowsCame = different.stream().anyMatch(file -> file.before() == null);
    boolean rowsWent = different.stream().anyMatch(file -> file.before() != null);
    if (rowsCame && rowsWent) {
      return List.of(split(bucket, different));
    }
    List<DifferenceSplit> splits = new ArrayList<>();
    List<DifferenceFile> some = new ArrayList<>();
    long bytes = 0;
    for (DifferenceFile file : different) {
      if (!some.isEmpty() && bytes + file.file().size() > targetBytes) {
        splits.add(split(bucket, some));
        some.clear();
        bytes = 0;
      }
      some.add(file);
      bytes += file.file().size();
    }
    splits.add(split(bucket, some));
    return splits;
  }

  private static DifferenceSplit split(BucketFiles bucket, List<DifferenceFile> files) {
    return new DifferenceSplit(
        bucket.partition(),
        bucket.bucket(),
        KeyRange.ALL,
        false,
        files,
        files.stream().mapToLong(file -> file.file().size()).sum());
  }
}
