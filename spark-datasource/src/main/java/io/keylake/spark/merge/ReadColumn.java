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

package io.keylake.spark.merge;

import io.keylake.format.types.DataField;
import java.io.Serializable;

/** A column of a scan's output. */
public sealed interface ReadColumn extends Serializable {
  /**
   * A column of the table.
   *
   * @param field the column as the pinned schema declares it, with its type reduced to the wanted
   *     nested fields (in the wanted order, with their ids)
   */
  record TableColumn(DataField field) implements ReadColumn {
    private static final long serialVersionUID = 1L;
  }

  /** A column that says where a row comes from. */
  enum MetadataColumn implements ReadColumn {
    /** STRING: full address of the data file. */
    FILE,
    /** BIGINT: position of the row in its file, from 0. */
    POSITION,
    /** STRUCT of the partition columns in partition-key order; never NULL. */
    PARTITION,
    /** INT: number of the bucket. */
    BUCKET,
    /** BIGINT: id of the row, where rows are tracked. */
    ROW_ID,
    /** BIGINT: id of the snapshot that wrote the row, where rows are tracked. */
    SEQUENCE_NUMBER
  }
}
