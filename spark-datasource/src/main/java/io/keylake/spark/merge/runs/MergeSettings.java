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

import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.options.MergeOptions;
import java.util.Map;

/**
 * What is merged.
 *
 * @param table the table's name, for messages
 * @param schema the schema that rows are wanted in
 * @param merge how rows of one key combine
 * @param fileSchemas every schema that a file was written with, by id
 * @param addedDefaults values of columns in files that lack them: Spark's internal value by field
 *     id
 * @param partition values of the partition columns, which never come from files
 * @param keys the keys that are wanted
 * @param oldLevel the lowest level whose rows are old: of each key with a row below it is told what
 *     it was before; 0 = nothing is told
 */
public record MergeSettings(
    String table,
    TableSchema schema,
    MergeOptions merge,
    Map<Long, TableSchema> fileSchemas,
    Map<Integer, Object> addedDefaults,
    BinaryRow partition,
    KeyRange keys,
    int oldLevel) {
  /** A merge in which it is not told what keys were before. */
  public MergeSettings(
      String table,
      TableSchema schema,
      MergeOptions merge,
      Map<Long, TableSchema> fileSchemas,
      Map<Integer, Object> addedDefaults,
      BinaryRow partition,
      KeyRange keys) {
    this(table, schema, merge, fileSchemas, addedDefaults, partition, keys, 0);
  }

  /** The same merge of other keys. */
  public MergeSettings of(KeyRange others) {
    return new MergeSettings(
        table, schema, merge, fileSchemas, addedDefaults, partition, others, oldLevel);
  }

  /** Whether it is told which rows were replaced: never where the first row of a key stays. */
  boolean tellsReplacedRows() {
    return oldLevel > 0 && merge.engine() != MergeOptions.Engine.FIRST_ROW;
  }
}
