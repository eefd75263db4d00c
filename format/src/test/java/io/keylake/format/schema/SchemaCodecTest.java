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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.VectorType;
import io.keylake.golden.GoldenTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCodecTest {
  private static final String MINIMAL =
      "{'version':3,'id':4,'fields':[{'id':0,'name':'k','type':'INT NOT NULL'}],"
          + "'highestFieldId':0,'partitionKeys':[],'primaryKeys':['k'],'options':{}}";

  private static TableSchema read(String json) {
    return SchemaCodec.read(json.replace('\'', '"').getBytes(UTF_8), "file:/t/schema/schema-4");
  }

  private static String write(TableSchema schema) {
    return new String(SchemaCodec.write(schema), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"types_pk", "types_exotic", "evo_pk", "default_values", "part_special"})
  void schemasOfTheReferenceAreRewrittenEqually(String table, @TempDir Path folder)
      throws IOException {
    Path schemas = GoldenTables.unpack(table, folder).resolve("schema");
    try (Stream<Path> files = Files.list(schemas)) {
      for (Path file : files.toList()) {
        byte[] content = Files.readAllBytes(file);
        TableSchema schema = SchemaCodec.read(content, file.toString());
        assertThat(new ObjectMapper().readTree(SchemaCodec.write(schema)))
            .isEqualTo(new ObjectMapper().readTree(content));
        if (schema.options().size() < 2) {
          assertThat(write(schema)).isEqualTo(new String(content, UTF_8));
        }
      }
    }
  }

  @Test
  void allPartsAreRead() {
    TableSchema schema =
        read(
            "{'version':3,'id':4,'fields':[{'id':0,'name':'k','type':'INT NOT"
                + " NULL','description':'the"
                + " key'},{'id':2,'name':'p','type':'STRING','defaultValue':'x'}],"
                + "'highestFieldId':7,'partitionKeys':['p'],'primaryKeys':['k','p'],'options':{'bucket':'2'},'comment':'a"
                + " table','timeMillis':12}");
    assertThat(schema)
        .isEqualTo(
            new TableSchema(
                3,
                4,
                List.of(
                    new DataField(0, "k", DataTypes.INT.asNotNull(), "the key", null),
                    new DataField(2, "p", DataTypes.STRING, null, "x")),
                7,
                List.of("p"),
                List.of("k", "p"),
                Map.of("bucket", "2"),
                "a table",
                12,
                UnknownKeys.NONE));
    assertThat(SchemaCodec.read(SchemaCodec.write(schema), "x")).isEqualTo(schema);
  }

  @Test
  void everyKindOfTypeRoundTrips() {
    RowType row =
        new RowType(
            List.of(
                DataField.of(1, "a", DataTypes.decimal(10, 2)),
                DataField.of(2, "b", new ArrayType(DataTypes.INT.asNotNull(), false))),
            false);
    List<DataField> fields =
        List.of(
            DataField.of(3, "row", row),
            DataField.of(4, "map", new MapType(DataTypes.STRING.asNotNull(), row, true)),
            DataField.of(5, "bag", new MultisetType(DataTypes.DATE, true)),
            DataField.of(6, "vector", new VectorType(DataTypes.FLOAT, 8, false)),
            DataField.of(7, "time", DataTypes.sized(TypeRoot.TIME, 3)),
            DataField.of(8, "variant", DataTypes.VARIANT));
    TableSchema schema =
        new TableSchema(3, 0, fields, 8, List.of(), List.of(), Map.of(), null, 0, UnknownKeys.NONE);
    assertThat(SchemaCodec.read(SchemaCodec.write(schema), "x")).isEqualTo(schema);
  }

  @Test
  void unknownKeysSurviveRewritingAtEveryDepth() throws IOException {
    String json =
        "{'version':3,'id':4,'fields':[{'id':0,'name':'r','type':{'type':'ROW','fields':"
            + "[{'id':1,'name':'a','type':'INT','new':{'x':[1.50]}}]},'other':true}],"
            + "'highestFieldId':1,'partitionKeys':[],'primaryKeys':[],'options':{},"
            + "'timeMillis':0,'future':null}";
    TableSchema schema = read(json);
    assertThat(new ObjectMapper().readTree(SchemaCodec.write(schema)))
        .isEqualTo(new ObjectMapper().readTree(json.replace('\'', '"')));
    TableSchema withoutField =
        new TableSchema(
            3,
            5,
            List.of(DataField.of(2, "b", DataTypes.INT)),
            2,
            List.of(),
            List.of(),
            Map.of(),
            null,
            0,
            schema.unknown());
    assertThat(write(withoutField)).contains("\"future\"").doesNotContain("other", "new");
  }

  @Test
  void firstVersionsHaveOtherDefaults() {
    assertThat(read(MINIMAL.replace("'version':3,", "")).options())
        .containsExactlyInAnyOrderEntriesOf(Map.of("bucket", "1", "file.format", "orc"));
    assertThat(read(MINIMAL.replace("'version':3", "'version':2")).options())
        .containsExactly(Map.entry("file.format", "orc"));
    assertThat(read(MINIMAL.replace("'version':3,", "").replace("{}", "{'bucket':'4'}")).options())
        .containsEntry("bucket", "4");
    assertThat(read(MINIMAL).options()).isEmpty();
    assertThat(read(MINIMAL).timeMillis()).isZero();
  }

  @Test
  void laterVersionIsRefused() {
    assertThatThrownBy(() -> read(MINIMAL.replace("'version':3", "'version':4")))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("file:/t/schema/schema-4")
        .hasMessageContaining("version 4")
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_UNSUPPORTED_FEATURE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'GEOGRAPHY'",
        "{'type':'UNION'}",
        "{'type':'ARRAY','element':'INT','sorted':true}"
      })
  void unknownTypeIsRefused(String type) {
    assertThatThrownBy(() -> read(MINIMAL.replace("'INT NOT NULL'", type)))
        .isInstanceOf(UnsupportedTableException.class)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_UNSUPPORTED_TYPE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{'version':3}",
        "{'version':3,'id':4,'fields':{},'highestFieldId':0}",
        "{'version':3,'id':4,'fields':[{'id':0,'name':'k'}],'highestFieldId':0}",
        "{'version':3,'id':4,'fields':[{'id':0,'name':'k','type':{'type':'MAP','key':'INT'}}]}",
        "{'version':3,'id':4,'fields':[{'id':0,'name':'k','type':'INT'},"
            + "{'id':0,'name':'l','type':'INT'}]}",
        "{'version':3,'id':4,'fields':[{'id':0,'name':'k','type':'INT'}],'primaryKeys':['z']}"
      })
  void damagedFileIsNamed(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("file:/t/schema/schema-4");
  }
}
