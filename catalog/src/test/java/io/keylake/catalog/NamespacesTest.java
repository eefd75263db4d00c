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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.Namespaces.Cascade;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.spark.convert.KeylakeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NamespacesTest {
  private static final String[] DB = {"db"};
  private static final String[] DEFAULT = {"default"};

  @TempDir private Path root;
  private Namespaces namespaces;

  @BeforeEach
  void open() {
    HadoopFileIO io = HadoopFileIO.of(new Configuration(false));
    Warehouse warehouse = new Warehouse(io, new Location(root.toString()));
    namespaces = new Namespaces("lake", "default", warehouse, new NamespaceProperties(io));
  }

  @Test
  void namespaceIsAFolder() throws Exception {
    namespaces.create(DB, Map.of());

    assertThat(root.resolve("db.db")).isEmptyDirectory();
    assertThat(namespaces.listAll()).isDeepEqualTo(new String[][] {DB, DEFAULT});
    assertThat(namespaces.exists(DB)).isTrue();
    assertThat(namespaces.list(DB)).isEmpty();
  }

  @Test
  void defaultNamespaceIsThereBeforeItsFolder() throws Exception {
    assertThat(namespaces.exists(DEFAULT)).isTrue();
    assertThat(namespaces.existing(DEFAULT)).isEqualTo("default");
    assertThat(namespaces.load(DEFAULT)).containsOnlyKeys("location");

    namespaces.alter(
        DEFAULT, new NamespaceChange[] {NamespaceChange.setProperty("comment", "first")});
    assertThat(namespaces.load(DEFAULT)).containsEntry("comment", "first");
  }

  @Test
  void nothingIsBelowANamespaceThatDoesNotExist() {
    assertThat(namespaces.list(DB)).isEmpty();
  }

  @Test
  void ownerAloneMakesNoFile() throws Exception {
    namespaces.create(DB, Map.of("owner", "ada"));

    assertThat(root.resolve("db.db")).isEmptyDirectory();
  }

  @Test
  void propertiesAreKept() throws Exception {
    namespaces.create(DB, Map.of("comment", "my data", "owner", "ada"));
    namespaces.alter(
        DB,
        new NamespaceChange[] {
          NamespaceChange.setProperty("k", "v"), NamespaceChange.removeProperty("owner")
        });

    assertThat(namespaces.load(DB))
        .isEqualTo(
            Map.of("comment", "my data", "k", "v", "location", root.resolve("db.db").toString()));
  }

  @Test
  void existingNamespaceIsRefused() throws Exception {
    namespaces.create(DB, Map.of());

    assertThatThrownBy(() -> namespaces.create(DB, Map.of()))
        .isInstanceOf(NamespaceAlreadyExistsException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sys", "system", "..", "a/b", "a$b", ""})
  void reservedAndDangerousNamesAreRefused(String name) {
    assertThatThrownBy(() -> namespaces.create(new String[] {name}, Map.of()))
        .isInstanceOf(KeylakeException.class)
        .hasMessageContaining(name);
  }

  @Test
  void nestedNamespaceIsRefused() {
    assertThatThrownBy(() -> namespaces.create(new String[] {"a", "b"}, Map.of()))
        .isInstanceOf(KeylakeException.class)
        .hasMessageContaining("one level");
  }

  @Test
  void chosenLocationIsRefused() {
    assertThatThrownBy(() -> namespaces.create(DB, Map.of("location", "/elsewhere")))
        .isInstanceOf(KeylakeException.class)
        .hasMessageContaining("KEYLAKE_FORBIDDEN_PATH");
  }

  @Test
  void ownLocationIsAccepted() throws Exception {
    namespaces.create(DB, Map.of("location", "file://" + root.resolve("db.db") + "/"));

    assertThat(namespaces.exists(DB)).isTrue();
  }

  @Test
  void namespaceWithContentIsDroppedWithCascadeOnly() throws Exception {
    namespaces.create(DB, Map.of("comment", "x"));
    Files.createDirectories(root.resolve("db.db/t/schema"));

    assertThatThrownBy(() -> namespaces.drop(DB, Cascade.NO))
        .isInstanceOf(NonEmptyNamespaceException.class);
    assertThat(namespaces.drop(DB, Cascade.YES)).isTrue();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void emptyNamespaceIsDroppedWithItsProperties() throws Exception {
    namespaces.create(DB, Map.of("comment", "x"));

    assertThat(namespaces.drop(DB, Cascade.NO)).isTrue();
    assertThat(namespaces.drop(DB, Cascade.NO)).isFalse();
  }

  @Test
  void missingNamespaceIsNamed() {
    assertThatThrownBy(() -> namespaces.load(DB))
        .isInstanceOf(NoSuchNamespaceException.class)
        .hasMessageContaining("`lake`.`db`");
  }

  @Test
  void damagedPropertiesNameTheirFile() throws IOException, NamespaceAlreadyExistsException {
    namespaces.create(DB, Map.of("comment", "x"));
    Files.writeString(root.resolve("db.db/.keylake-namespace.json"), "[");

    assertThatThrownBy(() -> namespaces.load(DB)).hasMessageContaining(".keylake-namespace.json");
  }
}
