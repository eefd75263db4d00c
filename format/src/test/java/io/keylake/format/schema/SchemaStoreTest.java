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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FaultyFileIO;
import io.keylake.format.fileio.FileIO.Publication;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaStoreTest {
  @TempDir Path folder;

  private final FaultyFileIO fileIO =
      FaultyFileIO.counting(HadoopFileIO.of(new Configuration(false)));
  private TableLayout layout;
  private SchemaStore store;

  @BeforeEach
  void openStore() {
    layout = TableLayout.of(new Location("file:" + folder));
    store = new SchemaStore(fileIO, layout);
  }

  private static TableSchema schema(long id, String column) {
    return new TableSchema(
        3,
        id,
        List.of(DataField.of(0, column, DataTypes.INT)),
        0,
        List.of(),
        List.of(),
        Map.of(),
        null,
        5,
        UnknownKeys.NONE);
  }

  @Test
  void missingTableHasNoSchema() {
    assertThat(store.latest()).isEmpty();
    assertThat(store.latestId()).isEmpty();
    assertThat(store.ids()).isEmpty();
  }

  @Test
  void publishedSchemasAreFoundByNumberNotByText() {
    for (long id : List.of(0L, 2L, 9L, 10L)) {
      assertThat(store.publish(schema(id, "c" + id))).isEqualTo(Publication.PUBLISHED);
    }
    fileIO.create(layout.schemaFolder().child(".schema-11.x.tmp"), new byte[0]);
    SchemaStore other = new SchemaStore(fileIO, layout);
    assertThat(other.ids()).containsExactly(0L, 2L, 9L, 10L);
    assertThat(other.latest()).contains(schema(10, "c10"));
    assertThat(other.load(2)).isEqualTo(schema(2, "c2"));
  }

  @Test
  void secondPublicationOfAnIdIsLost() {
    store.publish(schema(0, "ours"));
    SchemaStore other = new SchemaStore(fileIO, layout);
    assertThat(other.publish(schema(0, "theirs"))).isEqualTo(Publication.LOST);
    assertThat(other.load(0)).isEqualTo(schema(0, "ours"));
  }

  @Test
  void schemaIsReadOnce() {
    store.publish(schema(0, "c"));
    SchemaStore other = new SchemaStore(fileIO, layout);
    other.load(0);
    int calls = fileIO.calls().size();
    other.load(0);
    assertThat(fileIO.calls()).hasSize(calls);
  }

  @Test
  void branchHasSchemasOfItsOwn() {
    store.publish(schema(0, "main"));
    SchemaStore branch = new SchemaStore(fileIO, layout.onBranch("dev"));
    assertThat(branch.latest()).isEmpty();
    branch.publish(schema(1, "dev"));
    assertThat(branch.ids()).containsExactly(1L);
    assertThat(store.ids()).containsExactly(0L);
  }

  @Test
  void missingOrMisplacedSchemaIsNamed() {
    assertThatThrownBy(() -> store.load(3))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("Schema 3")
        .hasMessageContaining(layout.schema(3).path());
    fileIO.create(layout.schema(3), SchemaCodec.write(schema(4, "c")));
    assertThatThrownBy(() -> store.load(3))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("its id is 4");
    fileIO.create(layout.schema(5), "{".getBytes(UTF_8));
    assertThatThrownBy(() -> store.load(5)).isInstanceOf(CorruptTableException.class);
  }
}
