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

package io.keylake.spark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StreamSchemaTest {
  private static final DataField ID = DataField.of(0, "id", DataTypes.INT.asNullable());
  private static final DataField V = DataField.of(1, "v", DataTypes.INT);

  private static TableSchema schema(List<String> keys, DataField... fields) {
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        List.of(fields),
        9,
        List.of(),
        keys,
        Map.of(),
        null,
        0,
        UnknownKeys.NONE);
  }

  @Test
  void addedAndMovedColumnsDoNotMatter() {
    DataField added = DataField.of(2, "w", DataTypes.INT);
    assertThat(
            StreamSchema.difference(
                schema(List.of("id"), ID, V), schema(List.of("id"), added, V, ID)))
        .isEmpty();
  }

  @Test
  void lostRenamedAndRetypedColumnsDo() {
    TableSchema before = schema(List.of("id"), ID, V);
    assertThat(StreamSchema.difference(before, schema(List.of("id"), ID)))
        .hasValue("column v was dropped");
    assertThat(
            StreamSchema.difference(
                before, schema(List.of("id"), ID, DataField.of(1, "u", DataTypes.INT))))
        .hasValue("column v was renamed to u");
    assertThat(
            StreamSchema.difference(
                before, schema(List.of("id"), ID, DataField.of(1, "v", DataTypes.BIGINT))))
        .hasValueSatisfying(text -> assertThat(text).contains("now has type BIGINT"));
    assertThat(StreamSchema.difference(before, schema(List.of(), ID, V)))
        .hasValueSatisfying(text -> assertThat(text).contains("primary key"));
  }
}
