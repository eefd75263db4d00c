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

package io.keylake.catalog;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.table.bucket.BucketMode;
import java.util.List;

/**
 * What must stay the same so that new files can lie beside old ones in one table's history.
 *
 * @param partition names and types of the partition columns
 * @param primaryKey names and types of the primary-key columns
 * @param bucketKind the kind of its buckets; their number may change
 */
record TableShape(
    List<Column> partition, List<Column> primaryKey, Class<? extends BucketMode> bucketKind) {
  /** A column without its id. */
  record Column(String name, DataType type) {}

  static TableShape of(TableSchema schema) {
    return new TableShape(
        columns(schema, schema.partitionKeys()),
        columns(schema, schema.primaryKeys()),
        BucketMode.of(schema).getClass());
  }

  private static List<Column> columns(TableSchema schema, List<String> names) {
    return schema.rowType().project(names).fields().stream()
        .map((DataField field) -> new Column(field.name(), field.type()))
        .toList();
  }
}
