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

package io.keylake.spark.merge;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.ComputedValues;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.split.Probe;
import io.keylake.table.split.ScanUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns to read of a unit: those of the output that its file holds, then what masks need.
 *
 * @param wanted all of them, each once
 * @param outputs for each column of the output its place in {@code wanted}; -1 when it comes from
 *     elsewhere (partition values and metadata columns)
 * @param computed for each column of the output what computes it; null when nothing does
 * @param keyPlaces places of the key columns; empty without probes
 * @param sequencePlaces places of the sequence columns; empty when no probe needs them
 * @param kindPlace place of the kind; -1 when the unit holds no rows of kind -U or -D
 */
record UnitColumns(
    RowType wanted,
    List<Integer> outputs,
    List<@Nullable ComputedValues> computed,
    List<Integer> keyPlaces,
    List<Integer> sequencePlaces,
    int kindPlace) {

  static UnitColumns of(ReadTask task, ScanUnit unit, SequenceOrder order) {
    List<DataField> wanted = new ArrayList<>();
    List<Integer> outputs = new ArrayList<>();
    List<String> partitionKeys = task.spec().schema().partitionKeys();
    for (ReadColumn column : task.spec().columns()) {
      outputs.add(
          column instanceof TableColumn table && !partitionKeys.contains(table.field().name())
              ? place(wanted, table.field())
              : -1);
    }
    List<@Nullable ComputedValues> computed = new ArrayList<>();
    for (ReadColumn column : task.spec().columns()) {
      computed.add(
          column instanceof MetadataColumn metadata ? computed(metadata, unit, wanted) : null);
    }
    List<Integer> keyPlaces = new ArrayList<>();
    List<Integer> sequencePlaces = new ArrayList<>();
    if (!unit.probes().isEmpty()) {
      task.keyType().fields().forEach(field -> keyPlaces.add(place(wanted, field)));
      if (unit.probes().stream().anyMatch(Probe::compareSequence)) {
        order.columns().forEach(field -> sequencePlaces.add(place(wanted, field)));
      }
    }
    boolean needsKind = task.spec().schema().hasPrimaryKey() && unit.file().mayHoldDeletes();
    int kindPlace = needsKind ? place(wanted, SystemColumns.VALUE_KIND) : -1;
    return new UnitColumns(
        RowType.of(wanted), outputs, computed, keyPlaces, sequencePlaces, kindPlace);
  }

  private static @Nullable ComputedValues computed(
      MetadataColumn column, ScanUnit unit, List<DataField> wanted) {
    DataFile file = unit.file();
    boolean isStored = TrackedRows.areStored(file);
    return switch (column) {
      case POSITION -> ComputedValues.positions();
      case ROW_ID ->
          ComputedValues.rowIds(
              file, isStored ? place(wanted, TrackedRows.ROW_ID) : -1, unit.path());
      case SEQUENCE_NUMBER ->
          ComputedValues.sequenceNumbers(
              file, isStored ? place(wanted, TrackedRows.SEQUENCE_NUMBER) : -1);
      case FILE, PARTITION, BUCKET -> null;
    };
  }

  /** Whether columns of the output are computed of where rows are. */
  boolean anyComputed() {
    return computed.stream().anyMatch(values -> values != null);
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
