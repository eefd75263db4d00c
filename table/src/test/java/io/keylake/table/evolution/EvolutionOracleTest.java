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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import io.keylake.format.types.TypeText;
import io.keylake.reference.ReferenceTable;
import io.keylake.reference.ReferenceValues;
import io.keylake.table.evolution.SchemaChange.AddColumn;
import io.keylake.table.evolution.SchemaChange.DropColumn;
import io.keylake.table.evolution.SchemaChange.MovePosition;
import io.keylake.table.evolution.SchemaChange.RenameColumn;
import io.keylake.table.evolution.SchemaChange.SetOption;
import io.keylake.table.evolution.SchemaChange.UpdateComment;
import io.keylake.table.evolution.SchemaChange.UpdateType;
import io.keylake.table.evolution.SchemaEvolution.History;
import io.keylake.table.evolution.TypeCasts.Castability;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaChange.Move;
import org.apache.paimon.schema.SchemaManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference reads our schemas, we read its, and both change them alike. */
class EvolutionOracleTest {
  private static final List<String> ATOMIC =
      List.of(
          "BOOLEAN",
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DECIMAL(10, 2)",
          "CHAR(5)",
          "VARCHAR(5)",
          "STRING",
          "BINARY(5)",
          "BYTES",
          "DATE",
          "TIME(3)",
          "TIMESTAMP(3)",
          "TIMESTAMP(6) WITH LOCAL TIME ZONE",
          "VARIANT");
  private static final String NESTED =
      "ROW<x INT, y ARRAY<ROW<z STRING>>, m MAP<STRING, ROW<p DOUBLE, q MULTISET<INT>>>>";

  @TempDir Path warehouse;

  private SchemaStore store(String table) {
    Location root = new Location("file:" + warehouse + "/db.db/" + table);
    return new SchemaStore(HadoopFileIO.of(new Configuration(false)), TableLayout.of(root));
  }

  private ReferenceTable reference(String table) {
    return ReferenceTable.of("file:" + warehouse, "db", table);
  }

  private static SchemaManager schemas(ReferenceTable table) throws Exception {
    return table.load(Map.of()).schemaManager();
  }

  private static org.apache.paimon.types.DataType type(String text) {
    return ReferenceValues.type(text);
  }

  private static DataType ours(String text) {
    return TypeParser.parse(text);
  }

  private static List<DataField> columnsOfAllTypes() {
    List<DataField> columns = new ArrayList<>();
    columns.add(DataField.of(0, "id", DataTypes.INT));
    for (String type : ATOMIC) {
      columns.add(new DataField(0, "c" + columns.size(), ours(type), "a " + type, null));
    }
    return columns;
  }

  @Test
  void referenceReadsTheSchemasWeWrite() throws Exception {
    TableDefinition definition =
        new TableDefinition(
            columnsOfAllTypes(), List.of("c4"), List.of("id", "c4"), Map.of("bucket", "2"), "ours");
    store("ours").publish(definition.create("ours", Clock.systemUTC()));

    org.apache.paimon.schema.TableSchema read = schemas(reference("ours")).latest().orElseThrow();

    assertThat(read.fields()).extracting(field -> field.type().asSQLString()).hasSize(19);
    assertThat(read.fields().get(0).type().isNullable()).isFalse();
    assertThat(read.highestFieldId()).isEqualTo(18);
    assertThat(read.primaryKeys()).containsExactly("id", "c4");
    assertThat(read.partitionKeys()).containsExactly("c4");
    assertThat(read.options()).containsEntry("bucket", "2");
    assertThat(read.comment()).isEqualTo("ours");
    for (int i = 0; i < ATOMIC.size(); i++) {
      DataType written = store("ours").load(0).fields().get(i + 1).type();
      assertThat(read.fields().get(i + 1).type().asSQLString()).isEqualTo(TypeText.of(written));
    }
  }

  @Test
  void bothNumberAndChangeColumnsAlike() throws Exception {
    ReferenceTable theirs = reference("theirs");
    theirs.create(
        Schema.newBuilder()
            .column("k", type("INT"))
            .column("v", type("INT"))
            .column("s", type(NESTED))
            .column("pt", type("STRING"))
            .partitionKeys("pt")
            .primaryKey("pt", "k")
            .option("bucket", "2")
            .option("bucket-key", "k")
            .build());
    TableSchema first = store("theirs").load(0);
    TableSchema sameFirst =
        new TableDefinition(
                first.fields(),
                List.of("pt"),
                List.of("pt", "k"),
                Map.of("bucket", "2", "bucket-key", "k"),
                "")
            .create("t", Clock.systemUTC());
    assertThat(sameFirst.fields()).isEqualTo(first.fields());
    assertThat(sameFirst.highestFieldId()).isEqualTo(first.highestFieldId());

    TableSchema expected =
        new SchemaEvolution("t", Clock.systemUTC()).apply(first, ourChanges(first), History.EMPTY);
    schemas(theirs).commitChanges(theirChanges());

    TableSchema changed = store("theirs").latest().orElseThrow();
    assertThat(changed.fields()).isEqualTo(expected.fields());
    assertThat(changed.highestFieldId()).isEqualTo(expected.highestFieldId());
    assertThat(changed.primaryKeys()).isEqualTo(expected.primaryKeys());
    assertThat(changed.partitionKeys()).isEqualTo(expected.partitionKeys());
    assertThat(changed.options()).isEqualTo(expected.options());
  }

  private static List<SchemaChange> ourChanges(TableSchema first) {
    RowType nested = (RowType) first.fields().get(2).type();
    return List.of(
        new AddColumn(List.of("s2"), nested, "two", null, ColumnPosition.after("k")),
        new AddColumn(List.of("s", "w"), ours("DATE"), null, null, ColumnPosition.FIRST),
        new AddColumn(
            List.of("s", "y", "element", "u"), ours("INT"), null, null, ColumnPosition.DEFAULT),
        new RenameColumn(List.of("k"), "key"),
        new RenameColumn(List.of("s", "m", "value", "p"), "pp"),
        new UpdateType(List.of("v"), ours("BIGINT")),
        new UpdateType(List.of("s", "x"), ours("BIGINT")),
        new DropColumn(List.of("s2", "x")),
        new MovePosition(List.of("v"), ColumnPosition.FIRST),
        new UpdateComment(List.of("v"), "value"),
        new SetOption("file.format", "orc"));
  }

  private static List<org.apache.paimon.schema.SchemaChange> theirChanges() {
    return List.of(
        org.apache.paimon.schema.SchemaChange.addColumn(
            "s2", type(NESTED), "two", Move.after("s2", "k")),
        org.apache.paimon.schema.SchemaChange.addColumn(
            new String[] {"s", "w"}, type("DATE"), null, Move.first("w")),
        org.apache.paimon.schema.SchemaChange.addColumn(
            new String[] {"s", "y", "element", "u"}, type("INT"), null, null),
        org.apache.paimon.schema.SchemaChange.renameColumn("k", "key"),
        org.apache.paimon.schema.SchemaChange.renameColumn(
            new String[] {"s", "m", "value", "p"}, "pp"),
        org.apache.paimon.schema.SchemaChange.updateColumnType(
            new String[] {"v"}, type("BIGINT"), true),
        org.apache.paimon.schema.SchemaChange.updateColumnType(
            new String[] {"s", "x"}, type("BIGINT"), true),
        org.apache.paimon.schema.SchemaChange.dropColumn(new String[] {"s2", "x"}),
        org.apache.paimon.schema.SchemaChange.updateColumnPosition(Move.first("v")),
        org.apache.paimon.schema.SchemaChange.updateColumnComment(new String[] {"v"}, "value"),
        org.apache.paimon.schema.SchemaChange.setOption("file.format", "orc"));
  }

  @Test
  void everyPairOfTypesIsCastableForBothOrForNone() throws Exception {
    for (String mode : List.of("false", "true")) {
      Map<String, String> differences = new TreeMap<>();
      for (String from : ATOMIC) {
        String name = "casts_" + mode + "_" + ATOMIC.indexOf(from);
        SchemaManager table = createColumns(name, from, mode);
        for (String to : ATOMIC) {
          Castability castability = TypeCasts.of(ours(from), ours(to));
          boolean allowed =
              castability == Castability.IMPLICIT
                  || castability == Castability.EXPLICIT && mode.equals("false");
          if (!from.equals(to) && isCastable(table, "c" + ATOMIC.indexOf(to), to) != allowed) {
            differences.put(from + " to " + to, "we say " + castability);
          }
        }
      }
      assertThat(differences).as("disable-explicit-type-casting=" + mode).isEmpty();
    }
  }

  private SchemaManager createColumns(String name, String from, String mode) throws Exception {
    Schema.Builder schema = Schema.newBuilder().option("disable-explicit-type-casting", mode);
    for (int i = 0; i < ATOMIC.size(); i++) {
      schema.column("c" + i, type(from));
    }
    ReferenceTable table = reference(name);
    table.create(schema.build());
    return schemas(table);
  }

  private static boolean isCastable(SchemaManager table, String column, String to)
      throws Exception {
    try {
      table.commitChanges(
          List.of(
              org.apache.paimon.schema.SchemaChange.updateColumnType(
                  new String[] {column}, type(to), true)));
      return true;
    } catch (IllegalStateException | IllegalArgumentException refused) {
      return false;
    }
  }
}
