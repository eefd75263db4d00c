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
import io.keylake.spark.merge.ReadSpec;
import java.io.Serializable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;

/**
 * What a read of changes wants of every split: made once on the driver, sent to every task.
 *
 * @param data the columns of the table that are read, each once, in the types of the pinned schema;
 *     the schemas of all files; conditions that may skip rows of changes, provided that those on
 *     columns outside the key are left out where rows are computed
 * @param columns the output in its order
 * @param output the same columns as Spark knows them
 * @param kinds rows of other kinds are left out
 */
public record ChangeSpec(
    ReadSpec data, List<ChangeColumn> columns, StructType output, Set<ChangeKind> kinds)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Rows of every kind. */
  public static final Set<ChangeKind> ALL_KINDS = Set.copyOf(EnumSet.allOf(ChangeKind.class));

  /** Copies the collections. */
  public ChangeSpec {
    columns = List.copyOf(columns);
    kinds = Set.copyOf(kinds);
    if (columns.size() != output.size()) {
      throw new IllegalArgumentException(
          "The output has " + output.size() + " columns, not " + columns.size());
    }
  }

  /** Whether the sequence numbers of rows are wanted. */
  public boolean needsSequence() {
    return columns.contains(ChangeColumn.Meta.SEQUENCE_NUMBER);
  }

  /** Whether the kinds of rows are wanted. */
  public boolean needsKinds() {
    return columns.contains(ChangeColumn.Meta.ROW_KIND)
        || columns.contains(ChangeColumn.Meta.CHANGE_TYPE)
        || !kinds.equals(ALL_KINDS);
  }
}
