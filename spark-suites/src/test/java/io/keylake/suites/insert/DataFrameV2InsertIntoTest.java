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

package io.keylake.suites.insert;

import static org.apache.spark.sql.functions.lit;

import org.apache.spark.sql.DataFrameWriterV2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.jspecify.annotations.Nullable;

/**
 * {@code df.writeTo(table)}, which finds columns by name where the suite expects them by position:
 * the rows' columns are given the names of the table's.
 */
public final class DataFrameV2InsertIntoTest extends LakeInserts {
  public DataFrameV2InsertIntoTest() {
    super(Scope.DATA_FRAME);
  }

  @Override
  public void doInsert(String table, Dataset<Row> rows, @Nullable SaveMode mode) {
    String[] columns = spark().table(table).columns();
    Dataset<Row> named = columns.length == rows.columns().length ? rows.toDF(columns) : rows;
    DataFrameWriterV2<Row> writer = named.writeTo(table);
    try {
      if (mode != SaveMode.Overwrite) {
        writer.append();
      } else if (isDynamic()) {
        writer.overwritePartitions();
      } else {
        writer.overwrite(lit(true));
      }
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isDynamic() {
    return spark()
        .conf()
        .get("spark.sql.sources.partitionOverwriteMode")
        .equalsIgnoreCase("dynamic");
  }
}
