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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks the snapshots that are left of a table which one writer fills while another process
 * maintains it. A snapshot holds the rows of exactly the statements up to the one that its mark
 * names.
 */
final class RetainedSnapshots {
  private static final int WRITER = 0;

  private final Path warehouse;
  private final String name;
  private final LoopedStatements statements;

  RetainedSnapshots(Path warehouse, String name, long seed) {
    this.warehouse = warehouse;
    this.name = name;
    this.statements = new LoopedStatements(TableLoop.kind(name), seed);
  }

  private LakeTable load() {
    return LakeTable.load(
        name,
        HadoopFileIO.of(new Configuration(false)),
        new Location(warehouse.resolve("db.db").resolve(name).toString()));
  }

  /**
   * Checks the oldest and the newest snapshot while the other process goes on; one that expires
   * meanwhile need not be readable.
   *
   * @param committed statements of the writer that have ended
   */
  void checkEnds(int committed) throws Exception {
    LakeTable table = load();
    List<Long> ids = table.storage().snapshots().ids();
    assertThat(ids).as("snapshots of %s", name).isNotEmpty();
    long newest = ids.get(ids.size() - 1);
    for (long id : LongStream.of(ids.get(0), newest).distinct().toArray()) {
      Optional<Integer> statement = statementUnlessExpired(table, id);
      if (id == newest && statement.isPresent()) {
        assertThat(statement.get())
            .as("statements in snapshot %d of %s", id, name)
            .isEqualTo(committed);
      }
    }
  }

  private Optional<Integer> statementUnlessExpired(LakeTable table, long id) throws Exception {
    try {
      Snapshot snapshot = table.storage().snapshots().load(id);
      return Optional.of(checkedStatement(id, TableRows.of(table.at(snapshot))));
    } catch (Exception e) {
      if (table.storage().snapshots().ids().contains(id)) {
        throw new AssertionError("Snapshot " + id + " of " + name + " cannot be read.", e);
      }
      return Optional.empty();
    }
  }

  private int checkedStatement(long id, List<String> found) {
    int newest = LoopedRows.newest(WRITER, found);
    assertThat(found).as("rows of snapshot %d of %s", id, name).isEqualTo(rows(newest).lines());
    return newest;
  }

  private LoopedRows rows(int newest) {
    LoopedRows rows = new LoopedRows(statements);
    for (int number = 1; number <= newest; number++) {
      rows.put(WRITER, number);
    }
    return rows;
  }

  /**
   * Checks all snapshots after the loops have ended, with the reference implementation, too; how
   * many there are.
   *
   * @param committed statements of the writer
   */
  int checkAll(int committed) throws Exception {
    LakeTable table = load();
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", name);
    boolean referenceSeesLevelZero =
        !table.options().merge().deletionVectors() || !table.schema().hasPrimaryKey();
    List<Long> ids = table.storage().snapshots().ids();
    int before = 0;
    for (long id : ids) {
      List<String> found = TableRows.of(table.at(table.storage().snapshots().load(id)));
      int statement = checkedStatement(id, found);
      assertThat(statement)
          .as("statements in snapshot %d of %s", id, name)
          .isBetween(before, before == 0 ? committed : before + 1);
      before = statement;
      if (referenceSeesLevelZero) {
        assertThat(reference.rows(Map.of("scan.snapshot-id", Long.toString(id))))
            .as("rows that the reference reads in snapshot %d of %s", id, name)
            .isEqualTo(found);
      }
    }
    assertThat(before).as("statements in %s", name).isEqualTo(committed);
    assertThat(reference.problems()).isEmpty();
    SoundTable.checkEverything(table);
    return ids.size();
  }

  /** Checks that the reference implementation reads all rows, once a table is compacted. */
  void checkReference(int committed) throws Exception {
    assertThat(ReferenceTable.of(warehouse.toString(), "db", name).rows())
        .isEqualTo(rows(committed).lines());
  }
}
