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

package io.keylake.spark.write.cross;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The bytes of primary keys in an index: the stored values of the key's columns. For one thread.
 */
final class KeyBytes {
  /** Begins a binary row; always the same, since keys are never NULL. */
  private static final int HEADER = 8;

  private final BinaryRowAssembler assembler;

  private KeyBytes(BinaryRowAssembler assembler) {
    this.assembler = assembler;
  }

  /** Of rows of the table. */
  static KeyBytes ofRows(TableSchema schema) {
    RowType rows = schema.rowType();
    return of(rows, schema.primaryKeys());
  }

  /** Of rows that have the columns of the primary key only. */
  static KeyBytes ofKeys(TableSchema schema) {
    return of(schema.rowType().project(schema.primaryKeys()), schema.primaryKeys());
  }

  private static KeyBytes of(RowType rows, List<String> keys) {
    List<Integer> positions = keys.stream().map(rows::indexOf).toList();
    return new KeyBytes(new BinaryRowAssembler(rows.project(keys), positions, rows.size()));
  }

  /** Takes the key of a row. */
  void take(UnsafeRow row) {
    assembler.assemble(row.getBaseObject(), row.getBaseOffset());
  }

  /** Holds the key that was taken last, from {@link #offset} on. */
  byte[] buffer() {
    return assembler.buffer();
  }

  int offset() {
    return HEADER;
  }

  int length() {
    return assembler.size() - HEADER;
  }

  byte[] copy() {
    return Arrays.copyOfRange(assembler.buffer(), HEADER, assembler.size());
  }
}
