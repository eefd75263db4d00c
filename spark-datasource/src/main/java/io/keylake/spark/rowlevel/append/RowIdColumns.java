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

package io.keylake.spark.rowlevel.append;

import io.keylake.spark.read.RowMetadata;
import io.keylake.table.evolution.TrackedRows;
import java.io.Serializable;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.types.StructType;

/**
 * Where the parts of a row's id are in the ids that Spark hands over.
 *
 * @param file index of the address of the file
 * @param position index of the position in it
 * @param trackedId index of the id that the row keeps among the metadata; -1 where there is none
 */
record RowIdColumns(int file, int position, int trackedId) implements Serializable {
  private static final long serialVersionUID = 1L;

  static RowIdColumns of(AppendStatement statement, LogicalWriteInfo info) {
    StructType ids = info.rowIdSchema().orElseThrow();
    return new RowIdColumns(
        ids.fieldIndex(RowMetadata.fileColumn(statement.read().schema())),
        ids.fieldIndex(RowMetadata.positionColumn(statement.read().schema())),
        info.metadataSchema().map(RowIdColumns::trackedId).orElse(-1));
  }

  private static int trackedId(StructType metadata) {
    String name = TrackedRows.ROW_ID.name();
    return metadata.getFieldIndex(name).isDefined() ? metadata.fieldIndex(name) : -1;
  }
}
