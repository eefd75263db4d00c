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

package io.keylake.spark.merge.runs;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns to read of the files of a run, each once.
 *
 * @param wanted all of them
 * @param table for each column of the rows its place in {@code wanted}, -1 for partition columns;
 *     empty for files that stay
 * @param keys places of the key columns
 * @param sequence places of the columns that order the versions of a key; empty when they are not
 *     needed
 * @param number place of the sequence number; -1 when it is not needed
 * @param kind place of the change kind; -1 when it is not needed
 */
record RunColumns(
    RowType wanted,
    List<Integer> table,
    List<Integer> keys,
    List<Integer> sequence,
    int number,
    int kind) {

  /** What is read of a file whose rows are merged. */
  static RunColumns ofMerged(MergeTask task, MergeRun run, DataFile file) {
    boolean all = task.scan().use() == RowScan.Use.STORED;
    List<DataField> wanted = new ArrayList<>();
    List<Integer> table = new ArrayList<>();
    List<DataField> fields = task.fields();
    for (int i = 0; i < fields.size(); i++) {
      table.add(task.partitionValue(i) == null ? place(wanted, fields.get(i)) : -1);
    }
    List<Integer> keys = places(wanted, task.keyType().fields());
    List<Integer> sequence =
        all || run.comparesSequence() ? places(wanted, task.order().columns()) : List.of();
    int number = all ? place(wanted, SystemColumns.SEQUENCE_NUMBER) : -1;
    int kind = all || file.mayHoldDeletes() ? place(wanted, SystemColumns.VALUE_KIND) : -1;
    return new RunColumns(RowType.of(wanted), table, keys, sequence, number, kind);
  }

  /** What is read of files that stay, whose keys alone are looked at. */
  static RunColumns ofKeys(MergeTask task) {
    List<DataField> wanted = new ArrayList<>();
    List<Integer> keys = places(wanted, task.keyType().fields());
    return new RunColumns(RowType.of(wanted), List.of(), keys, List.of(), -1, -1);
  }

  /** What is read of files that stay and may hold the newest row of a key. */
  static RunColumns ofOrderedKeys(MergeTask task) {
    List<DataField> wanted = new ArrayList<>();
    List<Integer> keys = places(wanted, task.keyType().fields());
    List<Integer> sequence = places(wanted, task.order().columns());
    return new RunColumns(RowType.of(wanted), List.of(), keys, sequence, -1, -1);
  }

  private static List<Integer> places(List<DataField> wanted, List<DataField> fields) {
    return fields.stream().map(field -> place(wanted, field)).toList();
  }

  private static int place(List<DataField> wanted, DataField field) {
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).id() == field.id()) {
        return i;
      }
    }
    wanted.add(field);
    return wanted.size() - 1;
  }
}
