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

package io.keylake.spark.file.encode;

import io.keylake.format.types.DataField;
import java.io.Serializable;

/**
 * One column of a data file and where its values come from.
 *
 * @param field name, id and type as stored
 * @param source what the values are taken from
 * @param ordinal position in the rows when the source is {@link Source#ROW}; otherwise -1
 * @param encoding how integers are written
 */
public record StoredColumn(DataField field, Source source, int ordinal, Integers encoding)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Where values come from. */
  public enum Source {
    /** A field of the row. */
    ROW,
    /** The row's sequence number. */
    SEQUENCE_NUMBER,
    /** The row's change kind. */
    CHANGE_KIND
  }

  /** How integers are written. */
  public enum Integers {
    /** A dictionary while it pays, then plain. */
    DICTIONARY_OR_PLAIN,
    /** DELTA_BINARY_PACKED: quick to read when the values ascend. */
    DELTA
  }
}
