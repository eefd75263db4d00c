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
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.sort.SortedRows;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Rows of a list, in its order. */
public final class ListedRows implements SortedRows {
  /** A row: its group, change kind and values; it is numbered by its position. */
  public record In(int group, byte kind, Row values) {}

  private final List<In> rows;
  private final List<UnsafeRow> unsafe;
  private int at = -1;

  /** Rows of a table. */
  public ListedRows(TableSchema schema, List<In> rows) {
    this.rows = rows;
    this.unsafe = TestRows.unsafe(schema.fields(), rows.stream().map(In::values).toList());
  }

  @Override
  public boolean next() {
    return ++at < rows.size();
  }

  @Override
  public Object base() {
    return unsafe.get(at).getBaseObject();
  }

  @Override
  public long offset() {
    return unsafe.get(at).getBaseOffset();
  }

  @Override
  public int length() {
    return unsafe.get(at).getSizeInBytes();
  }

  @Override
  public int group() {
    return rows.get(at).group;
  }

  @Override
  public long sequenceNumber() {
    return at;
  }

  @Override
  public byte kind() {
    return rows.get(at).kind;
  }
}
