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

package io.keylake.table.split;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tables without files on disk, for tests of split planning. */
final class PlanTables {
  static final DataField KEY = DataField.of(0, "k", DataTypes.INT.asNotNull());
  static final DataField VALUE = DataField.of(1, "v", DataTypes.INT);

  private PlanTables() {}

  static TableSchema keyed(Map<String, String> options) {
    return schema(List.of("k"), options);
  }

  static TableSchema append(Map<String, String> options) {
    return schema(List.of(), options);
  }

  private static TableSchema schema(List<String> primaryKeys, Map<String, String> options) {
    return new TableSchema(
        3, 0, List.of(KEY, VALUE), 1, List.of(), primaryKeys, options, null, 0, UnknownKeys.NONE);
  }

  static BinaryRow key(int value) {
    return BinaryRowCodec.of(keyed(Map.of()).keyType()).encode(List.of(value));
  }

  static SplitPlanner planner(TableSchema schema) {
    TableOptions options = TableOptions.of(schema);
    FileAddresses addresses =
        FileAddresses.of(TableLayout.of(new Location("file:/wh/t")), schema, options.fileLayout());
    return new SplitPlanner(schema, options, addresses);
  }

  static BucketFiles bucket(int bucket, List<DataFile> files) {
    return bucket(bucket, files, Map.of(), Set.of());
  }

  static BucketFiles bucket(
      int bucket,
      List<DataFile> files,
      Map<String, IndexedVector> vectors,
      Set<String> probesOnly) {
    return new BucketFiles(BinaryRow.EMPTY, bucket, 1, files, vectors, List.of(), probesOnly);
  }
}
