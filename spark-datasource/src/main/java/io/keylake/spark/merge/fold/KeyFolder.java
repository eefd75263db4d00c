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

package io.keylake.spark.merge.fold;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.merge.function.ColumnFold;
import io.keylake.spark.merge.function.ColumnFolds;
import io.keylake.spark.merge.function.FoldSteps;
import io.keylake.spark.vector.VectorCopy;
import io.keylake.table.options.engine.ColumnRule;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.SequenceGroup;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;

/**
 * Folds the rows of keys by the rules of an engine that computes rows: partial-update or
 * aggregation. First it is found out, row by row, what each row does to the columns of each lane
 * ({@link FoldSteps}); then each column is folded on its own. For one thread; the owner closes it.
 *
 * <ol>
 *   <li>A key with one row: the row as it is, its kind included.
 *   <li>Otherwise the engine's rules: {@link PartialUpdateSteps}, {@link AggregationSteps}. The
 *       sequence number is that of the last row.
 * </ol>
 *
 * Rule source: table behaviour, merging several versions of a key. Pinned by {@code KeyFolderTest},
 * {@code KeyFolderModelTest} and {@code KeyFolderOracleTest}.
 */
public final class KeyFolder implements AutoCloseable {
  private static final int FIRST_ROOM = 1024;

  private final String table;
  private final List<DataField> fields;
  private final RowSteps engine;
  private final FoldSteps steps;
  private final int[] lanes;
  private final ColumnFold[] folds;
  private final WritableColumnVector[] folded;
  private final WritableColumnVector sequenceNumbers =
      new OnHeapColumnVector(FIRST_ROOM, DataTypes.LongType);
  private final WritableColumnVector kinds = new OnHeapColumnVector(FIRST_ROOM, DataTypes.ByteType);

  /**
   * A folder of some columns.
   *
   * @param table the table's name, for messages
   * @param schema the columns of the table
   * @param rules the rules of its engine
   * @param columns positions, in the table, of the columns of the rows; with all that {@link
   *     #needed} says
   */
  public KeyFolder(String table, TableSchema schema, EngineRules rules, List<Integer> columns) {
    if (!columns.containsAll(needed(rules, columns))) {
      throw new IllegalArgumentException("Columns " + columns + " lack fields of sequence groups");
    }
    this.table = table;
    fields = columns.stream().map(schema.rowType()::field).toList();
    engine = RowSteps.of(table, rules, fields, columns);
    steps = new FoldSteps(engine.lanes());
    lanes = new int[fields.size()];
    folds = new ColumnFold[fields.size()];
    folded = new WritableColumnVector[fields.size()];
    List<ColumnRule> columnRules = RowSteps.columnRules(rules);
    for (int i = 0; i < folds.length; i++) {
      DataField field = fields.get(i);
      ColumnRule rule = columnRules.get(columns.get(i));
      lanes[i] = rule.lane();
      folds[i] = ColumnFolds.of(table, field, rule);
      folded[i] =
          new OnHeapColumnVector(FIRST_ROOM, SparkTypes.toSpark(field.name(), field.type()));
    }
  }

  /**
   * Positions, in the table, of the columns that must be read to fold {@code wanted}: these first,
   * in their order, then the fields of the sequence groups that decide about them.
   */
  public static List<Integer> needed(EngineRules rules, List<Integer> wanted) {
    Set<Integer> needed = new LinkedHashSet<>(wanted);
    if (rules instanceof EngineRules.PartialUpdate partial) {
      for (int group = 0; group < partial.groups().size(); group++) {
        SequenceGroup sequence = partial.groups().get(group);
        int lane = group + 1;
        if (sequence.removesOnDelete()
            || wanted.stream().anyMatch(column -> partial.columns().get(column).lane() == lane)) {
          needed.addAll(sequence.fields());
        }
      }
    }
    return List.copyOf(needed);
  }

  /**
   * Folds all keys of {@code versions}; the result has one row for each, in their order, and is
   * valid until the next call.
   *
   * @throws io.keylake.format.errors.InvalidRequestException when rows of a key cannot be folded
   */
  public FoldedRows fold(VersionBatch versions) {
    if (!versions.isGathered()) {
      throw new IllegalStateException("Picked rows have not been gathered");
    }
    int keys = versions.keys();
    sequenceNumbers.reserve(keys);
    kinds.reserve(keys);
    steps.clear();
    for (int key = 0; key < keys; key++) {
      int begin = versions.begin(key);
      int end = versions.end(key);
      if (end - begin == 1) {
        steps.set(steps.addEntry(begin), FoldSteps.RESET);
        kinds.putByte(key, versions.kind(begin));
      } else {
        kinds.putByte(key, engine.add(versions, begin, end, steps).code());
      }
      steps.endKey();
      sequenceNumbers.putLong(key, versions.sequenceNumber(end - 1));
    }
    for (int i = 0; i < folds.length; i++) {
      folded[i].reset();
      VectorCopy.reserve(folded[i], keys);
      folds[i].fold(versions.column(i), steps.lane(lanes[i]), folded[i]);
      if (!fields.get(i).type().nullable() && folded[i].hasNull()) {
        checkRequired(fields.get(i).name(), folded[i], keys);
      }
    }
    return new FoldedRows(folded, sequenceNumbers, kinds, keys);
  }

  /** Spark takes a column that is NOT NULL at its word, so that no row may have NULL in it. */
  private void checkRequired(String column, WritableColumnVector values, int keys) {
    for (int key = 0; key < keys; key++) {
      if (values.isNullAt(key) && !ChangeKind.ofCode(kinds.getByte(key)).isRetract()) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_INVALID_VALUE,
            "Column "
                + column
                + " of table "
                + table
                + " is declared NOT NULL, but the rows of one key combine to NULL in it. Give it a"
                + " value, or let the column be nullable (ALTER TABLE ... ALTER COLUMN "
                + column
                + " DROP NOT NULL); where its last value was retracted, 'fields."
                + column
                + ".ignore-retract' = 'true' keeps it.");
      }
    }
  }

  @Override
  public void close() {
    for (WritableColumnVector column : folded) {
      column.close();
    }
    sequenceNumbers.close();
    kinds.close();
  }
}
