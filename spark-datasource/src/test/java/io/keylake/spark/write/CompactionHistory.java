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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.reference.ReferenceTable;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.write.HistoryValues.Value;
import io.keylake.spark.write.InlineCompaction.Extent;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * One table, written, compacted, replaced and altered by us and by the reference in turns. After
 * each step its rows are those of a naive model, for us and for the reference. Runs inside a Spark
 * task, without a query.
 */
final class CompactionHistory {
  private static final int MIN_STEPS = 5;

  private final Random random;
  private final HistoryTable table;
  private final HistoryModel model;
  private final ReferenceTable reference;
  private final Map<Long, List<String>> expected = new TreeMap<>();
  private final StringBuilder log = new StringBuilder();
  private WriteTarget target;

  CompactionHistory(Path warehouse, long seed) {
    this.random = new Random(seed * 7919);
    this.table = new HistoryTable(random);
    this.model = new HistoryModel(table);
    this.target =
        WriteFixture.compactedByWriters(
            WriteFixture.create(warehouse.resolve("db.db/t" + seed), table.schema()));
    this.reference = ReferenceTable.of(warehouse.toString(), "db", "t" + seed);
    log.append(table.schema()).append('\n');
  }

  String log() {
    return log.toString();
  }

  void run() throws Exception {
    ourWrite(Replacement.NOTHING, rows());
    check();
    int steps = MIN_STEPS + random.nextInt(3);
    for (int step = 1; step < steps; step++) {
      step();
      check();
    }
    List<Long> snapshots = List.copyOf(expected.keySet());
    long id = snapshots.get(random.nextInt(snapshots.size()));
    assertThat(TableRows.of(lake(Map.of()).at(target.storage().snapshots().load(id))))
        .as("rows of snapshot %d", id)
        .isEqualTo(expected.get(id));
    assertThat(reference.problems()).isEmpty();
  }

  private void step() throws Exception {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> ourWrite(Replacement.NOTHING, rows());
      case 3, 4 -> referenceWrite();
      case 5, 6 -> ourCompaction(Extent.MINOR);
      case 7 -> ourCompaction(Extent.FULL);
      case 8 -> referenceCompaction();
      case 9 -> referenceDelete();
      case 10 -> overwrite();
      default -> alter();
    }
  }

  private List<List<Value>> rows() {
    int count = Math.min(table.pick(1, 6, 30, 120), table.domain);
    return table.rows(target.schema(), count, table.pick(1, 2, table.domain));
  }

  private void ourWrite(Replacement replacement, List<List<Value>> rows) throws Exception {
    log.append("we write ").append(rows.size()).append('\n');
    List<Row> sparkRows = new ArrayList<>();
    for (List<Value> row : rows) {
      sparkRows.add(RowFactory.create(row.stream().map(Value::spark).toArray()));
      model.put(row);
    }
    KeylakeBatchWrite write = WriteFixture.batch(target, replacement);
    DataWriterFactory factory = write.createBatchWriterFactory(() -> 1);
    write.commit(
        new WriterCommitMessage[] {
          WriteFixture.task(
              factory, TaskContext.get(), TestRows.unsafe(target.schema().fields(), sparkRows))
        });
  }

  private void referenceWrite() throws Exception {
    boolean deletes = table.isKeyed() && random.nextBoolean();
    List<String> lines = new ArrayList<>();
    int deleted = 0;
    for (List<Value> row : rows()) {
      boolean gone = deletes && random.nextInt(3) == 0;
      String kind = gone ? table.pick("-D", "-U") : table.pick("+I", "+U");
      lines.add(
          HistoryModel.text(
              target.schema(), row, table.isKeyed() ? "\"_kind\":\"" + kind + "\"," : ""));
      if (gone) {
        model.remove(row);
        deleted++;
      } else {
        model.put(row);
      }
    }
    log.append("reference writes ").append(lines.size()).append(", deletes ").append(deleted);
    log.append('\n');
    reference.write(lines);
  }

  private void ourCompaction(Extent extent) throws Exception {
    long sliceBytes = table.pick(1L, 4000L, 1L << 30);
    log.append("we compact ").append(extent).append(", slices of ").append(sliceBytes);
    log.append(", buckets: ").append(InlineCompaction.run(target, extent, sliceBytes));
    log.append('\n');
    if (extent == Extent.FULL) {
      checkFull();
    }
  }

  private void checkFull() {
    List<Integer> levels =
        WriteFixture.files(target).stream().map(e -> e.file().level()).distinct().toList();
    if (table.isKeyed()) {
      assertThat(levels).as("levels after a full compaction").hasSizeLessThan(2).doesNotContain(0);
    }
  }

  private void referenceCompaction() throws Exception {
    boolean fully = !table.isKeyed() || random.nextBoolean();
    log.append("reference compacts ").append(fully ? "fully\n" : "if due\n");
    if (fully) {
      reference.compactFully();
    } else {
      reference.compactIfDue();
    }
  }

  private void referenceDelete() throws Exception {
    if (table.isKeyed() || !table.hasVectors()) {
      referenceWrite();
      return;
    }
    int modulus = table.pick(2, 3, 7);
    int rest = random.nextInt(modulus);
    log.append("reference deletes\n");
    TableSchema schema = target.schema();
    reference.delete(text -> Math.floorMod(text.hashCode(), modulus) == rest);
    model.removeIf(
        row -> Math.floorMod(HistoryModel.text(schema, row, "").hashCode(), modulus) == rest);
  }

  private void overwrite() throws Exception {
    List<List<Value>> rows = rows();
    if (!table.isPartitioned() || random.nextInt(3) == 0) {
      log.append("all is replaced: ");
      model.removeIf(row -> true);
      ourWrite(Replacement.of(new OverwriteScope.WholeTable()), rows);
      return;
    }
    log.append("partitions are replaced: ");
    List<String> written =
        rows.stream().map(row -> row.get(table.partitionColumn()).text()).distinct().toList();
    model.removeIf(row -> written.contains(row.get(table.partitionColumn()).text()));
    ourWrite(Replacement.of(new OverwriteScope.WrittenPartitions()), rows);
  }

  private void alter() throws Exception {
    TableSchema old = target.schema();
    List<DataField> fields = new ArrayList<>(old.fields());
    int id = old.highestFieldId() + 1;
    fields.add(DataField.of(id, "n" + fields.size(), DataTypes.BIGINT));
    TableSchema wider =
        new TableSchema(
            old.version(),
            old.id() + 1,
            fields,
            id,
            old.partitionKeys(),
            old.primaryKeys(),
            old.options(),
            old.comment(),
            old.timeMillis(),
            old.unknown());
    log.append("a column is added\n");
    assertThat(target.storage().schemas().publish(wider)).isNotEqualTo(FileIO.Publication.LOST);
    model.widen();
    target =
        new WriteTarget(
            target.name(), target.storage(), wider, TableOptions.of(wider), target.functions());
    ourWrite(Replacement.NOTHING, rows());
  }

  private void check() throws Exception {
    List<String> rows = model.text(target.schema());
    assertThat(TableRows.of(lake(Map.of()))).as("our rows").isEqualTo(rows);
    if (table.isKeyed() && table.hasVectors()) {
      assertThat(TableRows.of(lake(Map.of("scan.visibility", "compacted"))))
          .as("rows of the compacted view and of the reference")
          .isEqualTo(reference.rows());
    } else {
      assertThat(reference.rows()).as("rows of the reference").isEqualTo(rows);
    }
    SoundTable.check(lake(Map.of()));
    target
        .storage()
        .snapshots()
        .latest()
        .filter(snapshot -> snapshot.schemaId() == target.schema().id())
        .ifPresent(snapshot -> expected.put(snapshot.id(), rows));
  }

  private LakeTable lake(Map<String, String> options) {
    return LakeTable.find(target.storage()).orElseThrow().withOptions(options);
  }
}
