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
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.row.KeyComparator;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.file.ValueRange;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.rows.RetractMask;
import io.keylake.spark.merge.rows.RowMask;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.spark.merge.rows.VectorMask;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.Probe;
import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.jspecify.annotations.Nullable;

/**
 * Opens units: decides what must be read of a file and which of its rows are masked.
 *
 * <ol>
 *   <li>A unit of which no column, no position and no mask is needed is not opened: the manifest
 *       knows its number of rows, its deletion vector how many of them are deleted.
 *   <li>Masks, cheapest first: deletion vector, own rows of kind -U and -D, probes.
 *   <li>The conditions of the read may skip rows of the unit: it loses none but unwanted rows,
 *       whether they are masked or not.
 * </ol>
 */
final class UnitReaders {
  private final ReadTask task;
  private final SequenceOrder order;
  private final RowLocation location;
  private final boolean wantsPositions;
  private @Nullable Split heldFor;
  private @Nullable HeldKeys held;

  UnitReaders(ReadTask task) {
    this.task = task;
    this.order = task.order();
    this.location = new RowLocation(task.spec().schema().partitionType());
    this.wantsPositions =
        task.spec().columns().contains(MetadataColumn.POSITION)
            || task.spec().columns().contains(MetadataColumn.ROW_ID);
  }

  BatchReader open(Split split, ScanUnit unit) throws IOException {
    if (!unit.probes().isEmpty()) {
      task.requireOrdered(List.of(), unit.path());
    }
    hold(split);
    UnitColumns columns = UnitColumns.of(task, unit, order);
    List<@Nullable ConstantColumnVector> constants = constants(split, unit);
    boolean wholeFile = unit.start() == 0 && unit.length() >= unit.file().size();
    if (wholeFile && !columns.anyComputed() && columns.wanted().size() == 0) {
      DeletionVector vector = task.load(unit.vector());
      return new CountedRows(
          constants.stream().map(Objects::requireNonNull).toList(),
          unit.file().rowCount() - (vector == null ? 0 : vector.cardinality()));
    }
    return scan(unit, columns, constants);
  }

  private void hold(Split split) {
    if (heldFor != split) {
      heldFor = split;
      held = split instanceof MergeSplit merge ? new HeldKeys(task, order, merge) : null;
    }
  }

  private List<@Nullable ConstantColumnVector> constants(Split split, ScanUnit unit) {
    List<@Nullable ConstantColumnVector> constants = new ArrayList<>();
    ReadSpec spec = task.spec();
    for (int i = 0; i < spec.columns().size(); i++) {
      constants.add(
          location.constant(
              spec.columns().get(i),
              spec.output().fields()[i].dataType(),
              split,
              unit.path(),
              spec.batchRows()));
    }
    return constants;
  }

  private BatchReader scan(
      ScanUnit unit, UnitColumns columns, List<@Nullable ConstantColumnVector> constants)
      throws IOException {
    DataFile file = unit.file();
    DeletionVector vector = task.load(unit.vector());
    FileScan scan =
        FileScan.whole(unit.path(), file, task.schemaOf(file), columns.wanted())
            .withPredicate(task.spec().predicate())
            .between(unit.start(), unit.length());
    DataFileReader reader =
        task.files().open(vector != null || wantsPositions ? scan.withPositions() : scan);
    task.metrics().openedFile(unit.length());
    task.metrics().skippedRowGroups(reader.skippedRowGroups());
    return new UnitReader(
        reader,
        masks(unit, columns, vector, reader),
        new UnitOutput(columns, constants, task.vectors()),
        task.spec().batchRows(),
        task.metrics());
  }

  private List<RowMask> masks(
      ScanUnit unit, UnitColumns columns, @Nullable DeletionVector vector, DataFileReader reader)
      throws IOException {
    List<RowMask> masks = new ArrayList<>();
    if (vector != null) {
      masks.add(new VectorMask(vector));
    }
    if (columns.kindPlace() >= 0) {
      masks.add(new RetractMask(columns.kindPlace()));
    }
    if (!unit.probes().isEmpty()) {
      masks.add(
          new ProbeMask(
              runs(unit, columns, reader),
              KeyBatch.of(task.keyType()),
              unit.runRank(),
              columns.keyPlaces().stream().mapToInt(Integer::intValue).toArray(),
              columns.sequencePlaces().stream().mapToInt(Integer::intValue).toArray()));
    }
    return masks;
  }

  /** The probes by run, newest run first, each by ascending keys. */
  private List<ProbeCursor> runs(ScanUnit unit, UnitColumns columns, DataFileReader reader)
      throws IOException {
    ValueRange known = reader.range(columns.keyPlaces().get(0));
    ProbeRange range =
        new ProbeRange(
            task,
            known == null
                ? ProbeRange.ofFile(task, unit.file().minKey(), unit.file().maxKey())
                : known);
    TreeMap<Integer, List<Probe>> byRun = new TreeMap<>();
    for (Probe probe : unit.probes()) {
      byRun.computeIfAbsent(probe.runRank(), rank -> new ArrayList<>()).add(probe);
    }
    KeyComparator keys = KeyComparator.of(task.keyType());
    List<ProbeCursor> runs = new ArrayList<>();
    HeldKeys inMemory = held;
    for (List<Probe> probes : byRun.values()) {
      probes.sort(Comparator.comparing(probe -> probe.file().minKey(), keys));
      ProbeCursor run = inMemory == null ? null : inMemory.open(range, probes);
      runs.add(run == null ? new ProbeRun(task, order, range, probes) : run);
    }
    return runs;
  }
}
