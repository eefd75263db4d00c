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

import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.jspecify.annotations.Nullable;

/** {@code df.write().insertInto(table)}. */
public final class DataFrameInsertIntoTest extends LakeInserts {
  public DataFrameInsertIntoTest() {
    super(Scope.DATA_FRAME);
  }

  @Override
  public void doInsert(String table, Dataset<Row> rows, @Nullable SaveMode mode) {
    DataFrameWriter<Row> writer = rows.write().format(v2Format());
    if (mode != null) {
      writer.mode(mode);
    }
    writer.insertInto(table);
  }
}
