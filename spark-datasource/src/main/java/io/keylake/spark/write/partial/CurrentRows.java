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

package io.keylake.spark.write.partial;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.keys.Matches;
import io.keylake.spark.staged.StagedReaders;
import io.keylake.table.split.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a bucket by their keys. The keys that are read are limited to the range of those
 * that are looked for, by file, row group and page; where the key is one column and there are few,
 * to these keys. For one thread.
 */
public final class CurrentRows {
  /** Up to so many keys are named in the conditions of a scan. */
  private static final int MAX_NAMED_KEYS = 500;

  private final TableSchema schema;
  private final StructType rows;
  private final RowType keyType;
  private final int[] keyColumns;
  private final LongFunction<TableSchema> schemas;
  private final Map<Long, TableSchema> fileSchemas = new HashMap<>();
  private final Map<Integer, Object> addedDefaults;
  private final Configuration configuration;
  private final UnsafeProjection projection;
  private final RowToColumnConverter converter;

  /**
   * A finder.
   *
   * @param schemas finds a schema of the table by its id
   * @param addedDefaults values of columns in files that lack them: Spark's internal value by field
   *     id
   */
  public CurrentRows(
      TableSchema schema,
      LongFunction<TableSchema> schemas,
      Map<Integer, Object> addedDefaults,
      Configuration configuration) {
    this.schema = schema;
    this.rows = SparkTypes.toSpark(schema.rowType());
    this.keyType = schema.keyType();
    this.keyColumns =
        schema.trimmedPrimaryKeys().stream().mapToInt(schema.rowType()::indexOf).toArray();
    this.schemas = schemas;
    this.addedDefaults = Map.copyOf(addedDefaults);
    this.configuration = configuration;
    this.projection = UnsafeProjection.create(rows);
    this.converter = new RowToColumnConverter(rows);
  }

  /**
   * The row of each key, null where there is none.
   *
   * @param splits all of a bucket
   * @param keys a row of each key, ascending, at least one
   */
  public @Nullable UnsafeRow[] find(List<Split> splits, UnsafeRow[] keys) throws IOException {
    @Nullable UnsafeRow[] found = new UnsafeRow[keys.length];
    splits.stream()
        .flatMap(Split::dataFiles)
        .forEach(file -> fileSchemas.computeIfAbsent(file.schemaId(), schemas::apply));
    OnHeapColumnVector[] vectors = OnHeapColumnVector.allocateColumns(keys.length, rows);
    try {
      for (UnsafeRow key : keys) {
        converter.convert(key, vectors);
      }
      KeyBatch wanted = KeyBatch.of(keyType);
      wanted.load(columns(vectors), keys.length);
      try (BatchReader reader =
          StagedReaders.open(spec(keys), splits, configuration, new ReadMetrics())) {
        KeyBatch present = KeyBatch.of(keyType);
        while (reader.next()) {
          take(reader.batch(), present, wanted, found);
        }
      }
    } finally {
      for (OnHeapColumnVector vector : vectors) {
        vector.close();
      }
    }
    return found;
  }

  private ColumnVector[] columns(ColumnVector[] all) {
    ColumnVector[] columns = new ColumnVector[keyColumns.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = all[keyColumns[i]];
    }
    return columns;
  }

  private void take(
      ColumnarBatch batch, KeyBatch present, KeyBatch wanted, @Nullable UnsafeRow[] found) {
    ColumnVector[] columns = new ColumnVector[batch.numCols()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = batch.column(i);
    }
    present.load(columns(columns), batch.numRows());
    Matches matches = new Matches();
    int row = 0;
    int key = 0;
    while (row < present.size() && key < wanted.size()) {
      matches.start(row, key);
      present.match(wanted, matches);
      for (int i = 0; i < matches.count(); i++) {
        found[matches.probeRow(i)] = projection.apply(batch.getRow(matches.row(i))).copy();
      }
      row = matches.nextRow();
      key = matches.nextProbeRow();
    }
  }

  private ReadSpec spec(UnsafeRow[] keys) {
    List<ReadColumn> columns = new ArrayList<>();
    schema.fields().forEach(field -> columns.add(new TableColumn(field)));
    return new ReadSpec(
        schema,
        columns,
        rows,
        fileSchemas,
        condition(keys),
        addedDefaults,
        ReadSpec.DEFAULT_BATCH_ROWS,
        VectorMemory.ON_HEAP);
  }

  /** What the first column of the key must be; null when nothing can be said. */
  private @Nullable Predicate condition(UnsafeRow[] keys) {
    DataField first = keyType.field(0);
    return switch (first.type().root()) {
      case FLOAT, DOUBLE -> null;
      default -> {
        List<Object> values = new ArrayList<>();
        boolean named = keys.length <= MAX_NAMED_KEYS;
        for (int key = 0; key < keys.length; key += named ? 1 : Math.max(1, keys.length - 1)) {
          values.add(value(first, keys[key]));
        }
        Object min = values.get(0);
        Object max = values.get(values.size() - 1);
        List<Predicate> parts = new ArrayList<>();
        parts.add(new Predicate.Leaf(first, Operator.GREATER_OR_EQUAL, List.of(min)));
        parts.add(new Predicate.Leaf(first, Operator.LESS_OR_EQUAL, List.of(max)));
        if (named) {
          parts.add(new Predicate.Leaf(first, Operator.IN, distinct(values)));
        }
        yield new Predicate.And(parts);
      }
    };
  }

  /** Equal values follow one another. */
  private static List<Object> distinct(List<Object> values) {
    List<Object> distinct = new ArrayList<>();
    for (Object value : values) {
      if (distinct.isEmpty() || !distinct.get(distinct.size() - 1).equals(value)) {
        distinct.add(value);
      }
    }
    return distinct;
  }

  private Object value(DataField field, UnsafeRow row) {
    Object value = row.get(keyColumns[0], SparkTypes.toSpark(field.name(), field.type()));
    return Objects.requireNonNull(PartitionRows.toFormat(value, field.type()));
  }
}
