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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SharedSpark;
import io.keylake.spark.testing.SoundTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's writing command on a table that no catalog knows. */
class PathWriteSparkTest {
  private static final List<DataField> FIELDS =
      List.of(
          DataField.of(0, "dt", DataTypes.STRING.asNotNull()),
          DataField.of(1, "k", DataTypes.BIGINT.asNotNull()),
          DataField.of(2, "v", DataTypes.BIGINT));

  @TempDir Path folder;

  @AfterEach
  void tablesAreSound() {
    SoundTable.checkAllUnder(folder);
  }

  @Test
  void rowsOfAKeyMeetWithoutABucketFunction() throws Exception {
    WriteTarget target =
        WriteFixture.create(
            folder,
            TestRows.schema(FIELDS, List.of("dt"), List.of("dt", "k"), Map.of("bucket", "2")));
    SparkSession spark = SharedSpark.newSession();
    for (int version = 0; version < 3; version++) {
      spark
          .range(0, 1000, 1, 4)
          .selectExpr(
              "concat('d', id % 2) AS dt", "id % 100 AS k", "id + 1000 * " + version + " AS v")
          .write()
          .format("keylake")
          .mode("append")
          .save(folder.toString());
    }
    assertThat(ReferenceTable.open(folder).rows())
        .hasSize(100)
        .allMatch(row -> Integer.parseInt(row.replaceAll(".*, |]", "")) >= 2000);
    assertThat(target.storage().snapshots().latest().orElseThrow().id()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dt", ""})
  void dynamicBucketsAreGivenWithoutABucketFunction(String partition) throws Exception {
    WriteTarget target =
        WriteFixture.create(
            folder,
            TestRows.schema(
                FIELDS,
                partition.isEmpty() ? List.of() : List.of(partition),
                List.of("dt", "k"),
                Map.of("dynamic-bucket.target-row-num", "20")));
    for (int version = 0; version < 3; version++) {
      SharedSpark.newSession()
          .range(0, 1000, 1, 4)
          .selectExpr(
              "concat('d', id % 2) AS dt", "id % 100 AS k", "id + 1000 * " + version + " AS v")
          .write()
          .format("keylake")
          .mode("append")
          .save(folder.toString());
    }
    assertThat(ReferenceTable.open(folder).rows())
        .hasSize(100)
        .allMatch(row -> Integer.parseInt(row.replaceAll(".*, |]", "")) >= 2000);
    assertThat(WriteFixture.files(target)).hasSize(3 * (partition.isEmpty() ? 5 : 6));
  }

  @Test
  void anAppendTableIsWrittenByPath() throws Exception {
    WriteFixture.create(folder, TestRows.schema(FIELDS, List.of("dt"), List.of(), Map.of()));
    SharedSpark.newSession()
        .range(0, 100, 1, 4)
        .selectExpr("concat('d', id % 2) AS dt", "id AS k", "id AS v")
        .write()
        .format("keylake")
        .mode("append")
        .save(folder.toString());
    assertThat(ReferenceTable.open(folder).rows()).hasSize(100).contains("[d1, 7, 7]");
  }
}
