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

package io.keylake.table.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeParser;
import io.keylake.table.evolution.TypeCasts.Castability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeCastsTest {
  private static DataType type(String text) {
    return TypeParser.parse(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INT|BIGINT|IMPLICIT",
        "BIGINT|INT|EXPLICIT",
        "INT|STRING|EXPLICIT",
        "INT|DATE|IMPOSSIBLE",
        "INT|TIMESTAMP(3)|EXPLICIT",
        "SMALLINT|TIMESTAMP(3)|IMPOSSIBLE",
        "BOOLEAN|INT|EXPLICIT",
        "BOOLEAN|DATE|IMPOSSIBLE",
        "FLOAT|DOUBLE|IMPLICIT",
        "DOUBLE|FLOAT|EXPLICIT",
        "FLOAT|BOOLEAN|IMPOSSIBLE",
        "DECIMAL(20,2)|DECIMAL(5,1)|IMPLICIT",
        "DECIMAL(20,2)|DOUBLE|IMPLICIT",
        "DECIMAL(20,2)|INT|EXPLICIT",
        "CHAR(3)|STRING|IMPLICIT",
        "STRING|CHAR(3)|EXPLICIT",
        "STRING|VARCHAR(2)|IMPLICIT",
        "STRING|TIMESTAMP(3) WITH LOCAL TIME ZONE|EXPLICIT",
        "STRING|BYTES|EXPLICIT",
        "BINARY(3)|BYTES|IMPLICIT",
        "BYTES|BINARY(3)|EXPLICIT",
        "BYTES|INT|IMPOSSIBLE",
        "DATE|TIMESTAMP(3)|EXPLICIT",
        "DATE|INT|IMPOSSIBLE",
        "DATE|STRING|EXPLICIT",
        "DATE|VARCHAR(20)|IMPOSSIBLE",
        "TIMESTAMP(3)|DATE|IMPLICIT",
        "TIMESTAMP(6)|TIMESTAMP(3) WITH LOCAL TIME ZONE|IMPLICIT",
        "TIMESTAMP(3) WITH LOCAL TIME ZONE|DATE|EXPLICIT",
        "TIMESTAMP(3)|BIGINT|EXPLICIT",
        "TIME(3)|TIMESTAMP(3)|EXPLICIT",
        "VARIANT|STRING|IMPOSSIBLE",
        "INT NOT NULL|INT|IMPLICIT"
      })
  void castabilityIsThatOfTheReference(String from, String to, Castability castability) {
    assertThat(TypeCasts.of(type(from), type(to))).isEqualTo(castability);
  }

  @Test
  void nestedTypesTurnIntoTextOnly() {
    DataType ints = new ArrayType(DataTypes.INT, true);
    DataType longs = new ArrayType(DataTypes.BIGINT, true);
    assertThat(TypeCasts.of(ints, DataTypes.STRING)).isEqualTo(Castability.EXPLICIT);
    assertThat(TypeCasts.of(ints, longs)).isEqualTo(Castability.IMPOSSIBLE);
    assertThat(TypeCasts.of(DataTypes.INT, longs)).isEqualTo(Castability.IMPOSSIBLE);
    assertThat(TypeCasts.of(ints, ints.asNotNull())).isEqualTo(Castability.IMPLICIT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TINYINT|INT|true",
        "INT|BIGINT|true",
        "BIGINT|INT|false",
        "INT|STRING|false",
        "SMALLINT|FLOAT|true",
        "INT|FLOAT|false",
        "INT|DOUBLE|true",
        "BIGINT|DOUBLE|false",
        "FLOAT|DOUBLE|true",
        "INT|DECIMAL(12,2)|true",
        "INT|DECIMAL(11,2)|false",
        "DECIMAL(5,2)|DECIMAL(10,2)|true",
        "DECIMAL(5,2)|DECIMAL(6,4)|false",
        "DECIMAL(5,2)|DECIMAL(5,1)|false",
        "VARCHAR(5)|STRING|true",
        "STRING|VARCHAR(5)|false",
        "CHAR(5)|STRING|true",
        "BINARY(2)|VARBINARY(2)|true",
        "TIMESTAMP(3)|TIMESTAMP(6)|true",
        "TIMESTAMP(6)|TIMESTAMP(3)|false",
        "TIMESTAMP(6)|TIMESTAMP(6) WITH LOCAL TIME ZONE|false",
        "DATE|DATE NOT NULL|true",
        "BOOLEAN|INT|false"
      })
  void onlyCastsThatLoseNothingKeepTheOrder(String from, String to, boolean keeps) {
    assertThat(TypeCasts.keepOrder(type(from), type(to))).isEqualTo(keeps);
  }
}
