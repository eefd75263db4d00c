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

package io.keylake.table.commit;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.RowType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which files an overwrite replaces. But for {@link NamedFiles} it is looked at anew whenever the
 * commit is tried again, so files that others add meanwhile are replaced, too.
 */
public sealed interface OverwriteScope {
  /** Every file of the table. */
  record WholeTable() implements OverwriteScope {}

  /** The files of those partitions that receive new files; nothing when there are none. */
  record WrittenPartitions() implements OverwriteScope {}

  /**
   * The files of the partitions that a filter selects; every new file must be in one of them.
   *
   * @param filter tells whether partition values are selected
   * @param text the filter as users know it, for messages
   */
  record Partitions(Predicate<BinaryRow> filter, String text) implements OverwriteScope {}

  /**
   * The files that the changes themselves take away. They were chosen by looking at all files of
   * one version, so nothing may have been committed since: neither rows nor compactions.
   *
   * @param version the version that was looked at
   */
  record NamedFiles(Snapshot version) implements OverwriteScope {}

  /** The partitions with these values of the named partition columns; others may have any. */
  static OverwriteScope partitionsWith(
      RowType partitionType, Map<String, ? extends @Nullable Object> values) {
    BinaryRowCodec codec = BinaryRowCodec.of(partitionType);
    Map<Integer, @Nullable Object> byPosition = new HashMap<>();
    values.forEach(
        (name, value) -> {
          int position = partitionType.indexOf(name);
          if (position < 0) {
            throw new IllegalArgumentException("No partition column " + name);
          }
          byPosition.put(position, value);
        });
    return new Partitions(
        partition ->
            byPosition.entrySet().stream()
                .allMatch(
                    entry ->
                        Objects.equals(codec.value(partition, entry.getKey()), entry.getValue())),
        values.toString());
  }

  /** Exactly these partitions. */
  static OverwriteScope partitions(List<BinaryRow> partitions) {
    Set<BinaryRow> selected = Set.copyOf(partitions);
    return new Partitions(selected::contains, selected.size() + " partitions");
  }
}
