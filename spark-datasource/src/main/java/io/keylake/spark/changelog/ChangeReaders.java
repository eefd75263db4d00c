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

import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Opens the splits of a task. */
public final class ChangeReaders {
  private ChangeReaders() {}

  /**
   * A reader of the change rows of {@code splits}, one split after another. Files are opened when
   * they are reached.
   *
   * @param conf where file systems are configured; not changed
   * @param metrics counts what is read
   */
  public static BatchReader open(
      ChangeSpec spec,
      List<? extends ChangeSplit> splits,
      Configuration conf,
      ReadMetrics metrics) {
    return new ChangeBatches(ChangeTask.of(spec, conf, metrics), splits);
  }

  /**
   * The same, with the values of each row in arrays of one element, and the two rows of an update
   * as one row with arrays of two elements.
   *
   * @param spec the columns with types outside of arrays
   * @param output the columns with arrays
   */
  public static BatchReader openPairs(
      ChangeSpec spec,
      StructType output,
      List<? extends ChangeSplit> splits,
      Configuration conf,
      ReadMetrics metrics) {
    List<ChangeColumn> columns = new ArrayList<>(spec.columns());
    columns.add(0, ChangeColumn.Meta.ROW_KIND);
    StructType flat = new StructType().add("rowkind", DataTypes.StringType);
    for (StructField field : spec.output().fields()) {
      flat = flat.add(field);
    }
    ChangeSpec rows = new ChangeSpec(spec.data(), columns, flat, spec.kinds());
    return pairs(open(rows, splits, conf, metrics), spec, output);
  }

  /**
   * The values of rows in arrays as {@link #openPairs} gives them.
   *
   * @param rows their first column is the kind; then come the columns of {@code spec}; closed with
   *     the result
   * @param spec the columns with types outside of arrays
   * @param output the columns with arrays
   */
  public static BatchReader pairs(BatchReader rows, ChangeSpec spec, StructType output) {
    return new PairBatches(rows, spec, output);
  }
}
