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

package io.keylake.catalog.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.catalog.SharedSpark;
import io.keylake.catalog.stream.HistoryChange.Values;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.reference.ReferenceStream;
import io.keylake.reference.ReferenceTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Row;

/** All that can be read of a table's history. */
final class RecordedHistory {
  private final SharedSpark spark;
  private final Path warehouse;
  private final String name;
  private final TableStorage storage;

  RecordedHistory(SharedSpark spark, Path warehouse, String name) {
    this.spark = spark;
    this.warehouse = warehouse;
    this.name = name;
    Path folder = warehouse.resolve("db.db").resolve(name);
    this.storage =
        TableStorage.of(
            name,
            HadoopFileIO.of(new Configuration()),
            TableLayout.of(new Location(folder.toString())));
  }

  long latest() {
    return storage.snapshots().latestId().orElse(0);
  }

  long earliest() {
    return storage.snapshots().earliestId().orElseThrow();
  }

  Snapshot snapshot(long version) {
    return storage.snapshots().find(version).orElseThrow();
  }

  /** The rows of a version. */
  List<Values> state(long version) {
    return version == 0
        ? List.of()
        : spark
            .sql("SELECT k, p, v, w FROM " + name + " VERSION AS OF " + version)
            .collectAsList()
            .stream()
            .map(row -> Values.of(row, 0))
            .toList();
  }

  /** The changes of a range, by version. */
  Map<Long, List<HistoryChange>> changes(long from, long to) {
    return byVersion(
        spark
            .sql(
                "SELECT _commit_version, _change_type, k, p, v, w FROM "
                    + name
                    + " CHANGES FROM VERSION "
                    + from
                    + " TO VERSION "
                    + to)
            .collectAsList());
  }

  /** What the audit log has of a range. */
  List<HistoryChange> audit(long after, long to, String mode) {
    return spark
        .session()
        .read()
        .option("incremental-between", after + "," + to)
        .option("incremental-between-scan-mode", mode)
        .table("`" + name + "$audit_log`")
        .select("rowkind", "k", "p", "v", "w")
        .collectAsList()
        .stream()
        .map(row -> HistoryChange.of(row, 0))
        .sorted()
        .toList();
  }

  private static Map<Long, List<HistoryChange>> byVersion(List<Row> rows) {
    Map<Long, List<HistoryChange>> changes = new TreeMap<>();
    for (Row row : rows) {
      changes
          .computeIfAbsent(row.getLong(0), any -> new ArrayList<>())
          .add(HistoryChange.of(row, 1));
    }
    changes.values().forEach(Collections::sort);
    return changes;
  }

  /** What a stream over the audit log gets from the first snapshot on. */
  List<HistoryChange> followedAudit(Path checkpoint) throws Exception {
    List<HistoryChange> changes = new ArrayList<>();
    new DrainedStream(spark, checkpoint)
        .of("`" + name + "$audit_log`")
        .with("scan.snapshot-id", "1")
        .start(
            (batch, id) ->
                batch.collectAsList().forEach(row -> changes.add(HistoryChange.of(row, 0))),
            org.apache.spark.sql.streaming.Trigger.AvailableNow())
        .awaitTermination();
    Collections.sort(changes);
    return changes;
  }

  /** What a stream of the reference gets of each snapshot. */
  Map<Long, List<HistoryChange>> ofReference(long to) throws Exception {
    ReferenceTable table = ReferenceTable.of(warehouse.toString(), "db", name);
    Map<Long, List<HistoryChange>> changes = new TreeMap<>();
    for (Map.Entry<Long, List<String>> of : ReferenceStream.changes(table, to).entrySet()) {
      List<HistoryChange> rows = new ArrayList<>();
      for (String line : of.getValue()) {
        JsonNode row = new ObjectMapper().readTree(line.substring(3));
        rows.add(
            new HistoryChange(
                line.substring(0, 2),
                new Values(
                    row.get("k").intValue(),
                    number(row.get("p")),
                    number(row.get("v")),
                    text(row.get("w")))));
      }
      Collections.sort(rows);
      changes.put(of.getKey(), rows);
    }
    return changes;
  }

  private static Integer number(JsonNode value) {
    return value.isNull() ? null : (Integer) value.intValue();
  }

  private static String text(JsonNode value) {
    return value.isNull() ? null : value.asText();
  }
}
