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

package io.keylake.catalog.rowlevel;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.catalog.SharedSpark;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The table {@code t} of one run of a scenario, in a namespace of its own. */
final class ScenarioTable {
  private static final List<String> COUNTS = List.of("inserted", "updated", "deleted");

  private final Path warehouse;
  private final String namespace;
  private final SharedSpark spark;

  ScenarioTable(Path warehouse, String namespace) {
    this.warehouse = warehouse;
    this.namespace = namespace;
    this.spark = SharedSpark.over(warehouse);
    spark.run(
        "SET spark.sql.debug.maxToStringFields=200",
        "CREATE NAMESPACE lake." + namespace,
        "USE lake." + namespace);
  }

  SharedSpark spark() {
    return spark;
  }

  String fullName() {
    return "lake." + namespace + ".t";
  }

  void create(Scenario scenario, TableKind kind) {
    spark.run(kind.create(scenario));
  }

  private LakeTable load() {
    return LakeTable.load(
        "t",
        HadoopFileIO.of(new Configuration(false)),
        new Location("file:" + folder().toAbsolutePath()));
  }

  private Path folder() {
    return warehouse.resolve(namespace + ".db").resolve("t");
  }

  /** The id of the newest snapshot; 0 when there is none. */
  long snapshot() {
    return load().snapshot().map(Snapshot::id).orElse(0L);
  }

  /** The snapshots after this one, without those of compactions that a write sets off. */
  List<Snapshot> changesSince(long before) {
    LakeTable table = load();
    List<Snapshot> changes = new ArrayList<>();
    for (long id = before + 1; id <= snapshot(); id++) {
      Snapshot snapshot = table.storage().snapshots().load(id);
      if (snapshot.commitKind() != CommitKind.COMPACT) {
        changes.add(snapshot);
      }
    }
    return changes;
  }

  /** What the change after this snapshot says about changed rows; no number is 0. */
  Map<String, Long> countsSince(long before) {
    List<Snapshot> changes = changesSince(before);
    Map<String, Long> counts = new TreeMap<>();
    for (String name : COUNTS) {
      String value =
          changes.isEmpty() ? null : changes.get(0).properties().get("keylake.rows-" + name);
      counts.put(name, value == null ? 0L : Long.parseLong(value));
    }
    return counts;
  }

  /** Fails unless the reference reads these rows, in canonical text. */
  void checkReference(List<String> rows) throws Exception {
    ReferenceTable reference = ReferenceTable.of(warehouse.toString(), namespace, "t");
    assertThat(withoutPadding(reference.rows()))
        .as("rows that the reference reads")
        .isEqualTo(withoutPadding(rows));
  }

  /** Whether a CHAR comes with its padding depends on the reader; it is the same value. */
  private static List<String> withoutPadding(List<String> rows) {
    return rows.stream().map(row -> row.replaceAll(" +\"", "\"")).sorted().toList();
  }

  void compactFully() {
    spark.run("CALL lake.sys.compact(table => '" + namespace + ".t')");
  }

  void checkSound() {
    SoundTable.checkEverything(folder());
  }
}
