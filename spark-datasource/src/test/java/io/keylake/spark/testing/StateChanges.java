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

package io.keylake.spark.testing;

import io.keylake.format.schema.TableSchema;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.changelog.ChangeColumn;
import io.keylake.spark.changelog.ChangeReaders;
import io.keylake.spark.changelog.ChangeSpec;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.changelog.difference.DifferenceChangeSplit;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.table.LakeTable;
import io.keylake.table.difference.DifferencePlanner;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ScanFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** The changes between two states of a table, as they are computed from its files. */
public final class StateChanges {
  private static final CommitMark MARK = new CommitMark(7, 1000);

  private final LakeTable table;
  private final long targetBytes;
  private final int batchRows;
  private final ReadMetrics metrics = new ReadMetrics();

  /**
   * Changes of a table, in its schema.
   *
   * @param targetBytes of a split
   * @param batchRows of a batch
   */
  public StateChanges(LakeTable table, long targetBytes, int batchRows) {
    this.table = table;
    this.targetBytes = targetBytes;
    this.batchRows = batchRows;
  }

  /** What has been read so far. */
  public ReadMetrics metrics() {
    return metrics;
  }

  /** The files of a state of the table; null stands for the one without any. */
  public List<BucketFiles> files(@Nullable LakeTable state) {
    return state == null
        ? List.of()
        : state.withSchema(table.schema()).plan(ScanFilter.NONE).buckets();
  }

  /** The splits that tell two states apart. */
  public List<DifferenceChangeSplit> splits(List<BucketFiles> before, List<BucketFiles> after) {
    DifferencePlanner planner =
        new DifferencePlanner(table.schema(), table.options(), table.addresses(), targetBytes);
    return planner.plan(before, after).stream()
        .map(split -> new DifferenceChangeSplit(MARK, split))
        .toList();
  }

  /** The changes, each as its kind and the canonical text of its row, in the order of reading. */
  public List<String> between(@Nullable LakeTable before, @Nullable LakeTable after)
      throws IOException {
    return read(splits(files(before), files(after)));
  }

  /** The changes of these splits. */
  public List<String> read(List<DifferenceChangeSplit> splits) throws IOException {
    StructType type = SparkTypes.toSpark(table.schema().rowType());
    List<String> changes = new ArrayList<>();
    try (BatchReader reader =
        ChangeReaders.open(spec(), splits, new Configuration(false), metrics)) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        if (batch.numRows() > batchRows) {
          throw new AssertionError("A batch of " + batch.numRows() + " rows");
        }
        for (int row = 0; row < batch.numRows(); row++) {
          String kind = batch.column(type.size()).getUTF8String(row).toString();
          changes.add(kind + " " + CanonicalText.of(batch.getRow(row), type));
        }
      }
    }
    return changes;
  }

  private ChangeSpec spec() {
    TableSchema schema = table.schema();
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    table
        .storage()
        .schemas()
        .ids()
        .forEach(id -> fileSchemas.put(id, table.storage().schemas().load(id)));
    List<ReadColumn> columns = new ArrayList<>();
    List<ChangeColumn> output = new ArrayList<>();
    schema.fields().forEach(field -> output.add(new ChangeColumn.Data(output.size())));
    schema.fields().forEach(field -> columns.add(new TableColumn(field)));
    output.add(ChangeColumn.Meta.ROW_KIND);
    StructType type = SparkTypes.toSpark(schema.rowType());
    ReadSpec data =
        new ReadSpec(
            schema, columns, type, fileSchemas, null, Map.of(), batchRows, VectorMemory.ON_HEAP);
    return new ChangeSpec(
        data, output, type.add("kind", DataTypes.StringType), ChangeSpec.ALL_KINDS);
  }

  /** Orders changes as the states they are compared with. */
  public static List<String> sorted(List<String> changes) {
    List<String> sorted = new ArrayList<>(changes);
    sorted.sort(ReferenceValues::compareUtf8);
    return sorted;
  }
}
