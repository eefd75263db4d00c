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

package io.keylake.spark.changelog;

import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.file.DataFileReader;
import io.keylake.spark.file.FileScan;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.changes.ChangeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** Reads the files of a {@link StoredChangeSplit} one after another. */
final class StoredRowsReader implements ChangeRows {
  private static final int ABSENT = -1;

  private final ChangeTask task;
  private final Iterator<ChangeFile> waiting;
  private final RowType wanted;
  private final int[] places;
  private final @Nullable ColumnVector[] constants;
  private final int kindPlace;
  private final int sequencePlace;
  private @Nullable DataFileReader file;

  StoredRowsReader(ChangeTask task, StoredChangeSplit split) {
    this.task = task;
    this.waiting = split.files().iterator();
    ReadSpec spec = task.spec().data();
    boolean isKeyed = spec.schema().hasPrimaryKey();
    List<DataField> fields = new ArrayList<>();
    this.places = new int[spec.columns().size()];
    this.constants = new ColumnVector[places.length];
    for (int i = 0; i < places.length; i++) {
      DataField field = ((ReadColumn.TableColumn) spec.columns().get(i)).field();
      int inPartition = spec.schema().partitionKeys().indexOf(field.name());
      if (inPartition >= 0) {
        places[i] = ABSENT;
        constants[i] =
            partitionValue(split, inPartition, spec.output().fields()[i].dataType(), spec);
      } else {
        places[i] = fields.size();
        fields.add(field);
      }
    }
    kindPlace = add(fields, SystemColumns.VALUE_KIND, isKeyed && task.spec().needsKinds());
    sequencePlace =
        add(fields, SystemColumns.SEQUENCE_NUMBER, isKeyed && task.spec().needsSequence());
    this.wanted = RowType.of(fields);
  }

  private static int add(List<DataField> fields, DataField field, boolean isWanted) {
    if (!isWanted) {
      return ABSENT;
    }
    fields.add(field);
    return fields.size() - 1;
  }

  private static ColumnVector partitionValue(
      StoredChangeSplit split, int index, DataType type, ReadSpec spec) {
    Object value =
        ((GenericInternalRow)
                new PartitionRows(spec.schema().partitionType()).rowToSpark(split.partition()))
            .genericGet(index);
    return DataFileReader.constant(spec.batchRows(), type, value);
  }

  @Override
  public boolean next() throws IOException {
    while (true) {
      DataFileReader current = file;
      if (current != null) {
        if (current.next()) {
          return true;
        }
        file = null;
        current.close();
      }
      if (!waiting.hasNext()) {
        return false;
      }
      file = open(waiting.next());
    }
  }

  private DataFileReader open(ChangeFile changes) throws IOException {
    ReadSpec spec = task.spec().data();
    TableSchema schema = spec.fileSchemas().get(changes.file().schemaId());
    if (schema == null) {
      throw new IllegalStateException(
          "No schema " + changes.file().schemaId() + " for file " + changes.path());
    }
    DataFileReader opened =
        task.files()
            .open(
                FileScan.whole(changes.path(), changes.file(), schema, wanted)
                    .withPredicate(spec.predicate()));
    task.metrics().opened(changes.file().size(), opened.skippedRowGroups());
    return opened;
  }

  private DataFileReader current() {
    DataFileReader current = file;
    if (current == null) {
      throw new IllegalStateException("No batch: next() was not called or found none");
    }
    return current;
  }

  @Override
  public int rows() {
    return current().rows();
  }

  @Override
  public ColumnVector column(int index) {
    ColumnVector constant = constants[index];
    return constant == null ? current().column(places[index]) : constant;
  }

  @Override
  public @Nullable ColumnVector kinds() {
    return kindPlace == ABSENT ? null : current().column(kindPlace);
  }

  @Override
  public @Nullable ColumnVector sequenceNumbers() {
    return sequencePlace == ABSENT ? null : current().column(sequencePlace);
  }

  @Override
  public void close() throws IOException {
    DataFileReader current = file;
    if (current != null) {
      file = null;
      current.close();
    }
  }
}
