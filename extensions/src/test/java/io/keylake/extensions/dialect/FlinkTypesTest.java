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

package io.keylake.extensions.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.extensions.parser.TokenCursor;
import io.keylake.format.schema.TypeJson;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlinkTypesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TIMESTAMP                    | TIMESTAMP_NTZ      | TIMESTAMP(6)                      |"
            + " true",
        "TIMESTAMP(3) WITHOUT TIME ZONE | TIMESTAMP_NTZ    | TIMESTAMP(3)                      |"
            + " false",
        "TIMESTAMP_LTZ                | TIMESTAMP_LTZ      | TIMESTAMP(6) WITH LOCAL TIME ZONE |"
            + " true",
        "TIMESTAMP(9) WITH LOCAL TIME ZONE | TIMESTAMP_LTZ | TIMESTAMP(9) WITH LOCAL TIME ZONE |"
            + " false",
        "DOUBLE PRECISION             | DOUBLE             | DOUBLE                            |"
            + " true",
        "NUMERIC                      | DECIMAL(10, 0)     | DECIMAL(10, 0)                    |"
            + " true",
        "BINARY                       | BINARY             | BINARY(1)                         |"
            + " false",
        "VARBINARY(2147483647)        | BINARY             | BYTES                             |"
            + " true",
        "INT ARRAY                    | ARRAY<INT>         |"
            + " {\"type\":\"ARRAY\",\"element\":\"INT\"} | true",
        "ARRAY<INT NOT NULL>          | ARRAY<INT>         |"
            + " {\"type\":\"ARRAY\",\"element\":\"INT NOT NULL\"} | false",
        "ARRAY<ARRAY<ARRAY<INT>>>     | ARRAY<ARRAY<ARRAY<INT>>> | {\"type\":\"ARRAY\",\"element\":"
            + "{\"type\":\"ARRAY\",\"element\":{\"type\":\"ARRAY\",\"element\":\"INT\"}}} | true",
        "ROW<a ROW<b INT>>            | STRUCT<`a`: STRUCT<`b`: INT>> |"
            + " {\"type\":\"ROW\",\"fields\":[{\"id\":0,\"name\":\"a\",\"type\":{\"type\":\"ROW\","
            + "\"fields\":[{\"id\":0,\"name\":\"b\",\"type\":\"INT\"}]}}]} | true",
        "MAP<STRING, INT NULL>        | MAP<STRING, INT>   |"
            + " {\"type\":\"MAP\",\"key\":\"STRING NOT NULL\",\"value\":\"INT\"} | true",
      })
  void typesHaveANameInSparkAndAStoredForm(String flink, String sql, String stored, boolean isExact)
      throws ParseException {
    TokenCursor cursor = new TokenCursor(flink);
    FlinkType type = new FlinkTypes(cursor, FlinkTypes.Names.FLINK).read("c");
    assertThat(type.sql()).isEqualTo(sql);
    assertThat(TypeJson.write(type.stored())).isEqualTo(stored);
    assertThat(type.isExact()).isEqualTo(isExact);
    assertThat(cursor.atEnd()).isTrue();
  }

  @Test
  void namesWithoutAPrecisionAreSparksAmongItsClauses() throws ParseException {
    FlinkType type = new FlinkTypes(new TokenCursor("TIMESTAMP"), FlinkTypes.Names.SPARK).read("c");
    assertThat(type.sql()).isEqualTo("TIMESTAMP_LTZ");
  }

  @Test
  void unknownTypesAreRefusedByName() {
    assertThatThrownBy(
            () ->
                new FlinkTypes(new TokenCursor("\n INTERVAL DAY"), FlinkTypes.Names.FLINK)
                    .read("c"))
        .hasMessageContaining("Column c has the type INTERVAL")
        .hasMessageContaining("(line 2, position 2)");
    assertThatThrownBy(
            () ->
                new FlinkTypes(new TokenCursor("TIMESTAMP(10)"), FlinkTypes.Names.FLINK).read("c"))
        .isInstanceOf(ParseException.class);
  }
}
