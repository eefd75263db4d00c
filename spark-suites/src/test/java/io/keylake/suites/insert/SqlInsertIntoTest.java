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

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.connector.InsertIntoSchemaEvolutionTests;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** {@code INSERT INTO} and {@code INSERT OVERWRITE}, with and without schema evolution. */
public final class SqlInsertIntoTest extends LakeInserts implements InsertIntoSchemaEvolutionTests {
  private static final String ROWS = "rows_to_insert";

  public SqlInsertIntoTest() {
    super(Scope.SQL);
    InsertIntoSchemaEvolutionTests.$init$(this);
  }

  @Override
  public void doInsert(String table, Dataset<Row> rows, @Nullable SaveMode mode) {
    insert("INSERT " + verb(mode) + " TABLE " + table, rows);
  }

  @Override
  public void doInsertWithSchemaEvolution(
      String table, Dataset<Row> rows, SaveMode mode, boolean byName, Option<String> replaceWhere) {
    String columns = byName ? " BY NAME" : "";
    insert(
        replaceWhere.isDefined()
            ? "INSERT WITH SCHEMA EVOLUTION INTO TABLE "
                + table
                + columns
                + " REPLACE WHERE "
                + replaceWhere.get()
            : "INSERT WITH SCHEMA EVOLUTION " + verb(mode) + " TABLE " + table + columns,
        rows);
  }

  private static String verb(@Nullable SaveMode mode) {
    return mode == SaveMode.Overwrite ? "OVERWRITE" : "INTO";
  }

  private void insert(String clause, Dataset<Row> rows) {
    rows.createOrReplaceTempView(ROWS);
    try {
      spark().sql(clause + " SELECT * FROM " + ROWS);
    } finally {
      spark().catalog().dropTempView(ROWS);
    }
  }
}
