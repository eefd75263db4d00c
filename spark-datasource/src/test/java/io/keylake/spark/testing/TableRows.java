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
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.staged.StagedReaders;
import io.keylake.table.LakeTable;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads tables inside one thread, without a query. */
public final class TableRows {
  private TableRows() {}

  /** All rows of the snapshot that {@code table} reads, as canonical text, sorted. */
  public static List<String> of(LakeTable table) throws IOException {
    TableSchema schema = table.schema();
    List<Split> splits =
        new SplitPlanner(schema, table.options(), table.addresses())
            .plan(table.plan(ScanFilter.NONE), new SplitSize(4096, 0)).tasks().stream()
                .flatMap(List::stream)
                .toList();
    List<ReadColumn> columns = new ArrayList<>();
    schema.fields().forEach(field -> columns.add(new TableColumn(field)));
    Map<Long, TableSchema> fileSchemas = new HashMap<>();
    table
        .storage()
        .schemas()
        .ids()
        .forEach(id -> fileSchemas.put(id, table.storage().schemas().load(id)));
    StructType output = SparkTypes.toSpark(schema.rowType());
    ReadSpec spec =
        new ReadSpec(
            schema, columns, output, fileSchemas, null, Map.of(), 100, VectorMemory.ON_HEAP);
    List<String> rows = new ArrayList<>();
    try (BatchReader reader =
        StagedReaders.open(spec, splits, new Configuration(false), new ReadMetrics())) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        for (int row = 0; row < batch.numRows(); row++) {
          rows.add(CanonicalText.of(batch.getRow(row), output));
        }
      }
    }
    rows.sort(ReferenceValues::compareUtf8);
    return rows;
  }
}
