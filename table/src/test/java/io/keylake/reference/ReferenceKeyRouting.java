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

package io.keylake.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.paimon.crosspartition.GlobalIndexAssigner;
import org.apache.paimon.crosspartition.IndexBootstrap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableWriteImpl;

/** Writes rows as the reference does where keys move between partitions. */
final class ReferenceKeyRouting {
  private ReferenceKeyRouting() {}

  static void write(
      FileStoreTable table, TableWriteImpl<?> write, IOManager io, List<GenericRow> rows)
      throws Exception {
    GlobalIndexAssigner assigner = new GlobalIndexAssigner(table);
    try {
      assigner.open(0, io, 1, 0, (row, bucket) -> write(write, row, bucket));
      new IndexBootstrap(table).bootstrap(1, 0, row -> add(assigner, row));
      assigner.endBoostrap(false);
      for (GenericRow row : rows) {
        assigner.processInput(row);
      }
    } finally {
      assigner.close();
    }
  }

  private static void write(TableWriteImpl<?> write, InternalRow row, int bucket) {
    try {
      write.write(row, bucket);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(GlobalIndexAssigner assigner, InternalRow row) {
    try {
      assigner.bootstrapKey(row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
