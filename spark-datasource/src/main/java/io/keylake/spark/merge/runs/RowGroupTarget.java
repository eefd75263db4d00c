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

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.table.compaction.CompactionInput;
import java.io.IOException;
import java.util.Optional;

/**
 * Takes row groups as they are, where only one run holds rows of their keys: rows that would be
 * written again unchanged need not be decoded.
 */
public interface RowGroupTarget {
  /** Takes none: every key is seen by the sinks. */
  RowGroupTarget NONE =
      new RowGroupTarget() {
        @Override
        public Optional<RowGroupSource> open(CompactionInput input, TableSchema fileSchema) {
          return Optional.empty();
        }

        @Override
        public void append(RowGroup group) {
          throw new IllegalStateException("No row group is taken");
        }
      };

  /**
   * Opens a file, none of whose rows is deleted or unwanted, whose row groups may be taken; the
   * caller closes it. Empty when none of them may.
   */
  Optional<RowGroupSource> open(CompactionInput input, TableSchema fileSchema) throws IOException;

  /** Takes a copyable row group; sinks have got all keys before it. */
  void append(RowGroup group) throws IOException;
}
