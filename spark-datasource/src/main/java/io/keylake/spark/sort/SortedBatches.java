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

package io.keylake.spark.sort;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.table.options.engine.EngineRules;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.IntToLongFunction;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Sorted rows as batches of one group each, equal keys folded by the rules of the table's merge
 * engine. For one thread; the owner closes it.
 */
public interface SortedBatches extends Closeable {
  /**
   * Batches of all rows: append tables.
   *
   * @param firstSequence the number that is added to the sequence numbers of a group; asked once
   *     when the group begins
   */
  static SortedBatches ofAll(SortedRows rows, SortOrder order, IntToLongFunction firstSequence) {
    return new PickedBatches(rows, order, PickedBatches.Pick.ALL, firstSequence);
  }

  /**
   * Batches of one row for each key of a group.
   *
   * @param schema a schema with a primary key
   * @param rules how rows of a key become one
   * @param table the table's name, for messages
   * @param firstSequence as in {@link #ofAll}
   */
  static SortedBatches ofKeys(
      SortedRows rows,
      SortOrder order,
      TableSchema schema,
      EngineRules rules,
      String table,
      IntToLongFunction firstSequence) {
    if (rules.computesRows()) {
      return new FoldedBatches(rows, order, new RowFold(table, schema, rules), firstSequence);
    }
    PickedBatches.Pick pick =
        rules instanceof EngineRules.FirstRow
            ? PickedBatches.Pick.FIRST_OF_KEY
            : PickedBatches.Pick.LAST_OF_KEY;
    return new PickedBatches(rows, order, pick, firstSequence);
  }

  /** Replaces the content of {@code batch} by the next rows of one group; false at the end. */
  boolean next(RowBatch batch) throws IOException;

  /** A row, of those given out so far, whose key came more than once; null = none. */
  @Nullable UnsafeRow repeated();

  /** The group of the current batch. */
  int group();

  @Override
  void close();
}
