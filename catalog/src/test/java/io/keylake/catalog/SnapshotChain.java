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
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks a table that loops have written: each snapshot holds the rows of the one before, or those
 * with one more statement applied.
 */
final class SnapshotChain {
  private static final int WRITERS = 2;

  private final Path warehouse;
  private final String name;
  private final LoopedRows rows;
  private final int[] applied = new int[WRITERS];

  SnapshotChain(Path warehouse, String name, long seed) {
    this.warehouse = warehouse;
    this.name = name;
    this.rows = new LoopedRows(new LoopedStatements(TableLoop.kind(name), seed));
  }

  /** Checks every snapshot; how many there are. */
  int check() throws Exception {
    LakeTable table =
        LakeTable.load(
            name,
            HadoopFileIO.of(new Configuration(false)),
            new Location(warehouse.resolve("db.db").resolve(name).toString()));
    List<Long> ids = table.storage().snapshots().ids();
    for (long id : ids) {
      List<String> found = TableRows.of(table.at(table.storage().snapshots().load(id)));
      apply(id, found);
      assertThat(found).as("rows of snapshot %d of %s", id, name).isEqualTo(rows.lines());
    }
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), "db", name);
    assertThat(reference.problems()).isEmpty();
    SoundTable.check(table);
    if (!table.options().merge().deletionVectors() || !table.schema().hasPrimaryKey()) {
      assertThat(reference.rows()).isEqualTo(rows.lines());
    }
    return ids.size();
  }

  /** Statements of a writer that arrived. */
  int applied(int writer) {
    return applied[writer];
  }

  private void apply(long snapshot, List<String> found) {
    int statementsMore = 0;
    for (int writer = 0; writer < WRITERS; writer++) {
      int newest = LoopedRows.newest(writer, found);
      for (int number = applied[writer] + 1; number <= newest; number++) {
        statementsMore++;
        rows.put(writer, number);
      }
      assertThat(newest)
          .as("statements of writer %d in snapshot %d of %s", writer, snapshot, name)
          .isGreaterThanOrEqualTo(applied[writer]);
      applied[writer] = newest;
    }
    assertThat(statementsMore)
        .as("statements that snapshot %d of %s adds", snapshot, name)
        .isLessThan(2);
  }
}
