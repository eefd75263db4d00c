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

package io.keylake.spark.changelog;

import io.keylake.format.row.ChangeKind;
import java.io.Serializable;

/** A column of the output of a read of changes. */
public sealed interface ChangeColumn extends Serializable {
  /**
   * A column of the table.
   *
   * @param index position in {@link ChangeSpec#data()}'s columns
   */
  record Data(int index) implements ChangeColumn {
    private static final long serialVersionUID = 1L;
  }

  /** A column that says what a row is. */
  enum Meta implements ChangeColumn {
    /** STRING: {@code +I}, {@code -U}, {@code +U} or {@code -D}. */
    ROW_KIND,
    /**
     * STRING: {@code insert}, {@code update_preimage}, {@code update_postimage}, {@code delete}.
     */
    CHANGE_TYPE,
    /** BIGINT: the version of the commit. */
    COMMIT_VERSION,
    /** TIMESTAMP: when the commit was made. */
    COMMIT_TIMESTAMP,
    /** BIGINT: the sequence number of the row; NULL where rows have none. */
    SEQUENCE_NUMBER;

    /**
     * What a column of this meaning says of rows of a kind.
     *
     * @throws IllegalStateException when the column does not tell kinds
     */
    public String text(ChangeKind kind) {
      return switch (this) {
        case ROW_KIND -> KindNames.SHORT.text(kind);
        case CHANGE_TYPE -> KindNames.CHANGE_TYPE.text(kind);
        case COMMIT_VERSION, COMMIT_TIMESTAMP, SEQUENCE_NUMBER ->
            throw new IllegalStateException(this + " does not tell the kind of a row");
      };
    }
  }
}
