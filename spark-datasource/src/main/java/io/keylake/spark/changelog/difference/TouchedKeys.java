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

package io.keylake.spark.changelog.difference;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.changelog.ChangeTask;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FilePredicates;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.compaction.CompactionInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What files are asked when keys are walked: the conditions of the query on key columns and, where
 * files that differ have few rows, the keys of these. Row groups and pages without any of them are
 * then skipped in the files that both states share.
 */
final class TouchedKeys {
  /** So many rows are read once more to know their keys. */
  private static final long FEW_ROWS = 256;

  /** Each key makes the condition longer, which is asked of every page. */
  private static final int MAX_KEYS = 64;

  private final ChangeTask task;
  private final DifferenceRuns runs;

  TouchedKeys(ChangeTask task, DifferenceRuns runs) {
    this.task = task;
    this.runs = runs;
  }

  /** What to ask; null when there is nothing. */
  @Nullable Predicate predicate() throws IOException {
    ReadSpec spec = task.spec().data();
    List<Integer> keyIds = spec.schema().keyType().fields().stream().map(DataField::id).toList();
    Predicate asked = spec.predicate();
    List<Predicate> parts = new ArrayList<>();
    Predicate ofQuery = asked == null ? null : FilePredicates.only(asked, keyIds);
    if (ofQuery != null) {
      parts.add(ofQuery);
    }
    Predicate ofKeys = few();
    if (ofKeys != null) {
      parts.add(ofKeys);
    }
    return parts.isEmpty() ? null : parts.size() == 1 ? parts.get(0) : new Predicate.And(parts);
  }

  private @Nullable Predicate few() throws IOException {
    FirstKeyColumn key = FirstKeyColumn.of(task.spec().data().schema());
    List<CompactionInput> differing = runs.differing();
    long rows = differing.stream().mapToLong(input -> input.file().rowCount()).sum();
    if (!key.isAskable() || !runs.isAnyShared() || rows > FEW_ROWS) {
      return null;
    }
    Set<Object> keys = new LinkedHashSet<>();
    for (CompactionInput input : differing) {
      read(input, key, keys);
      if (keys.size() > MAX_KEYS) {
        return null;
      }
    }
    List<Predicate> parts = new ArrayList<>();
    for (Object value : keys) {
      parts.add(new Predicate.Leaf(key.field(), Predicate.Operator.EQUAL, List.of(value)));
    }
    return parts.size() == 1 ? parts.get(0) : new Predicate.Or(parts);
  }

  private void read(CompactionInput input, FirstKeyColumn key, Set<Object> keys)
      throws IOException {
    FileScan scan =
        FileScan.whole(
            input.path(),
            input.file(),
            LateRows.schemaOf(task.spec().data(), input.file(), input.path()),
            RowType.of(List.of(key.field())));
    try (DataFileReader reader = task.files().open(scan)) {
      task.metrics().opened(input.file().size(), 0);
      while (reader.next() && keys.size() <= MAX_KEYS) {
        for (int row = 0; row < reader.rows(); row++) {
          keys.add(key.literal(reader.column(0), row));
        }
      }
    }
  }
}
