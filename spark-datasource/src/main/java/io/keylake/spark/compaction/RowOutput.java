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

package io.keylake.spark.compaction;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.file.gather.PickedRows;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.table.compaction.CompactionInput;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where the rows of a step go, in their final order. For one thread; the owner closes it. */
interface RowOutput extends Closeable {
  /** Takes rows. */
  void write(List<? extends GatherSource> sources, PickedRows picked) throws IOException;

  /**
   * A stored file whose row groups may be added as they are; the caller closes it. Empty when its
   * rows have to be read and given to {@link #write}.
   */
  Optional<RowGroupSource> rowGroups(CompactionInput input, TableSchema fileSchema)
      throws IOException;

  /** Takes a row group with the sequence numbers that it has. */
  void append(RowGroup group) throws IOException;

  /** Takes a row group and numbers its rows. */
  void append(RowGroup group, long firstSequenceNumber) throws IOException;
}
