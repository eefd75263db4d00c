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

package io.keylake.format.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.TableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TypeJsonTest {
  @Test
  void atomicTypesAreWrittenWithoutQuotes() {
    assertThat(TypeJson.write(DataTypes.timestamp(3))).isEqualTo("TIMESTAMP(3)");
    assertThat(TypeJson.read("timestamp_ltz(0)", "a")).isEqualTo(DataTypes.timestampLtz(0));
  }

  @Test
  void nestedTypesAreReadAsTheyAreWritten() {
    DataType type =
        new ArrayType(
            new RowType(
                List.of(
                    DataField.of(0, "a", new MultisetType(DataTypes.STRING, false)),
                    new DataField(0, "b", DataTypes.timestamp(3), "said", null)),
                true),
            true);
    assertThat(TypeJson.read(TypeJson.write(type), "a")).isEqualTo(type);
  }

  @Test
  void whatIsNoTypeIsRefused() {
    assertThatThrownBy(() -> TypeJson.read("NOTHING", "a")).isInstanceOf(TableException.class);
    assertThatThrownBy(() -> TypeJson.read("{\"type\":", "the property x"))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("the property x");
  }
}
