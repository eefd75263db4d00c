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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.table.evolution.SchemaChange.AddColumn;
import io.keylake.table.evolution.SchemaChange.SetOption;
import io.keylake.table.evolution.SchemaEvolution.History;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaUpdateTest {
  @TempDir Path folder;

  private final FileIO fileIO = HadoopFileIO.of(new Configuration(false));
  private final SchemaEvolution evolution = new SchemaEvolution("db.t", Clock.systemUTC());
  private SchemaStore store;
  private TableSchema first;

  @BeforeEach
  void createTable() {
    store = store();
    first =
        new TableDefinition(
                List.of(DataField.of(0, "a", DataTypes.INT)), List.of(), List.of(), Map.of(), null)
            .create("db.t", Clock.systemUTC());
    store.publish(first);
  }

  private SchemaStore store() {
    return new SchemaStore(fileIO, TableLayout.of(new Location("file:" + folder)));
  }

  private static AddColumn add(String name) {
    return new AddColumn(List.of(name), DataTypes.INT, null, null, ColumnPosition.DEFAULT);
  }

  @Test
  void changeIsPublishedAsTheNextSchema() {
    TableSchema changed =
        new SchemaUpdate(store, evolution).commit(List.of(add("b")), () -> History.EMPTY);
    assertThat(changed.id()).isEqualTo(1);
    assertThat(store().latest()).contains(changed);
    assertThat(store().load(0)).isEqualTo(first);
  }

  @Test
  void changeThatChangesNothingPublishesNothing() {
    TableSchema same = new SchemaUpdate(store, evolution).commit(List.of(), () -> History.EMPTY);
    assertThat(same).isEqualTo(first);
    assertThat(store.ids()).containsExactly(0L);
  }

  @Test
  void lostRaceIsTriedAgainOnTheNewestSchema() {
    SchemaUpdate other = new SchemaUpdate(store(), evolution);
    int[] asked = {0};
    TableSchema changed =
        new SchemaUpdate(store, evolution)
            .commit(
                List.of(add("c")),
                () -> {
                  if (asked[0]++ == 0) {
                    other.commit(List.of(add("b")), () -> History.EMPTY);
                  }
                  return History.EMPTY;
                });
    assertThat(asked[0]).isEqualTo(2);
    assertThat(changed.id()).isEqualTo(2);
    assertThat(changed.rowType().names()).containsExactly("a", "b", "c");
    assertThat(changed.fields()).extracting(DataField::id).containsExactly(0, 1, 2);
  }

  @Test
  void writerThatAlwaysComesSecondGivesUp() {
    SchemaUpdate other = new SchemaUpdate(store(), evolution);
    int[] asked = {0};
    assertThatThrownBy(
            () ->
                new SchemaUpdate(store, evolution)
                    .commit(
                        List.of(add("mine")),
                        () -> {
                          String name = "theirs" + asked[0]++;
                          other.commit(List.of(add(name)), () -> History.EMPTY);
                          return History.EMPTY;
                        }))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("db.t");
  }

  @Test
  void missingTableAndUnsupportedOptionsAreRefused() {
    SchemaStore missing =
        new SchemaStore(fileIO, TableLayout.of(new Location("file:" + folder + "/none")));
    assertThatThrownBy(
            () ->
                new SchemaUpdate(missing, evolution).commit(List.of(add("b")), () -> History.EMPTY))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("does not exist");
    assertThatThrownBy(
            () ->
                new SchemaUpdate(store, evolution)
                    .commit(
                        List.of(new SetOption("data-file.external-paths.strategy", "round-robin")),
                        () -> History.EMPTY))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("data-file.external-paths.strategy");
    assertThat(store.ids()).containsExactly(0L);
  }
}
