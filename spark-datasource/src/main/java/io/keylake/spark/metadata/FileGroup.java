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

package io.keylake.spark.metadata;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the live files of a partition or bucket have together.
 *
 * @param partition the partition
 * @param bucket the bucket; the first one met when a whole partition is meant
 * @param rows physical rows
 * @param bytes size of the files
 * @param files their number
 * @param lastCreation when the newest one was made, writer's local time as if in UTC, milliseconds;
 *     null = unknown
 */
record FileGroup(
    BinaryRow partition,
    int bucket,
    long rows,
    long bytes,
    long files,
    @Nullable Long lastCreation) {
  /** The groups of files with equal {@code group}, in the order in which they are met. */
  static List<FileGroup> of(Iterable<LiveFile> files, Function<LiveFile, Object> group) {
    Map<Object, FileGroup> groups = new LinkedHashMap<>();
    for (LiveFile file : files) {
      groups.merge(group.apply(file), one(file), FileGroup::and);
    }
    return new ArrayList<>(groups.values());
  }

  private static FileGroup one(LiveFile live) {
    DataFile file = live.file();
    return new FileGroup(
        live.partition(),
        live.bucket(),
        file.rowCount(),
        file.size(),
        1,
        file.creationTimeMillis());
  }

  private FileGroup and(FileGroup other) {
    return new FileGroup(
        partition,
        bucket,
        rows + other.rows,
        bytes + other.bytes,
        files + other.files,
        later(lastCreation, other.lastCreation));
  }

  private static @Nullable Long later(@Nullable Long left, @Nullable Long right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return Math.max(left, right);
  }
}
