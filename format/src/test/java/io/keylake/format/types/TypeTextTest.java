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

package io.keylake.format.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INT",
        "BIGINT NOT NULL",
        "FLOAT",
        "DOUBLE",
        "DECIMAL(38, 18)",
        "DECIMAL(1, 0) NOT NULL",
        "CHAR(3)",
        "VARCHAR(2147483646)",
        "STRING NOT NULL",
        "BINARY(16)",
        "VARBINARY(4)",
        "BYTES",
        "DATE",
        "TIME(3)",
        "TIMESTAMP(0)",
        "TIMESTAMP(9) NOT NULL",
        "TIMESTAMP(6) WITH LOCAL TIME ZONE NOT NULL",
        "VARIANT",
        "BLOB"
      })
  void notationRoundTrips(String text) {
    assertThat(TypeText.of(TypeParser.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "numeric(5,2)|DECIMAL(5, 2)",
        "dec|DECIMAL(10, 0)",
        "Decimal ( 12 )|DECIMAL(12, 0)",
        "integer not  null|INT NOT NULL",
        "double precision|DOUBLE",
        "timestamp_ltz(3)|TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "TIMESTAMP WITHOUT TIME ZONE|TIMESTAMP(6)",
        "TIMESTAMP WITH LOCAL TIME ZONE|TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "time without time zone|TIME(0)",
        "INT NULL|INT",
        "char|CHAR(1)",
        "varchar|VARCHAR(1)",
        "varbinary|VARBINARY(1)",
        "VARCHAR(2147483647)|STRING",
        "VARBINARY(2147483647)|BYTES"
      })
  void otherSpellingsAreRead(String text, String canonical) {
    assertThat(TypeText.of(TypeParser.parse(text))).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GEOMETRY",
        "INT(4)",
        "DECIMAL(39, 0)",
        "DECIMAL(10, 11)",
        "DECIMAL(10",
        "TIMESTAMP(10)",
        "VARCHAR(0)",
        "INT NOT",
        "INT NOT NULL NULL",
        "CHAR(99999999999)",
        "ARRAY<INT>"
      })
  void textOfNoKnownTypeIsRefused(String text) {
    assertThatThrownBy(() -> TypeParser.parse(text))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("'" + text + "'")
        .extracting(failure -> ((UnsupportedTableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_UNSUPPORTED_TYPE);
  }

  @Test
  void nestedTypesReadLikeSql() {
    DataType row = new RowType(List.of(DataField.of(1, "a", DataTypes.INT.asNotNull())), true);
    DataType type = new MapType(DataTypes.STRING, new ArrayType(row, false), true);
    assertThat(TypeText.of(type)).isEqualTo("MAP<STRING, ARRAY<ROW<a INT NOT NULL>> NOT NULL>");
    assertThat(TypeText.of(new MultisetType(DataTypes.INT, false)))
        .isEqualTo("MULTISET<INT> NOT NULL");
    assertThat(TypeText.of(new VectorType(DataTypes.FLOAT, 3, true))).isEqualTo("VECTOR<FLOAT, 3>");
  }
}
