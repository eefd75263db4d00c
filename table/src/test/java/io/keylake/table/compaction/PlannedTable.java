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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.golden.DataFiles;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.CompactionStep.Upgrade;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A table of one bucket without files on disk; options are given as key, value, key, value. */
final class PlannedTable {
  static final Instant NOON = Instant.parse("2024-05-01T12:30:00Z");

  private static final RowType KEY =
      RowType.of(List.of(DataField.of(0, "k", DataTypes.INT.asNotNull())));
  private static final BinaryRowCodec CODEC = BinaryRowCodec.of(KEY);
  static final KeyComparator KEYS = KeyComparator.of(KEY);

  private final TableSchema schema;
  private Clock clock = Clock.fixed(NOON, ZoneOffset.UTC);
  private final Map<String, IndexedVector> vectors = new HashMap<>();

  private PlannedTable(List<String> primaryKeys, String... options) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      values.put(options[i], options[i + 1]);
    }
    this.schema =
        new TableSchema(
            3,
            0,
            List.of(
                DataField.of(0, "k", DataTypes.INT.asNotNull()),
                DataField.of(1, "time", DataTypes.BIGINT)),
            1,
            List.of(),
            primaryKeys,
            values,
            null,
            0,
            UnknownKeys.NONE);
  }

  /** With the primary key k, files of 1000 bytes, and nothing to open a file. */
  static PlannedTable keyed(String... options) {
    return new PlannedTable(List.of("k"), with("bucket", "1", options));
  }

  /** An append table without buckets. */
  static PlannedTable unaware(String... options) {
    return new PlannedTable(List.of(), with("bucket", "-1", options));
  }

  /** An append table of one bucket. */
  static PlannedTable bucketed(String... options) {
    return new PlannedTable(List.of(), with("bucket", "1", with("bucket-key", "k", options)));
  }

  private static String[] with(String key, String value, String... options) {
    String[] all = new String[options.length + 6];
    System.arraycopy(
        new String[] {
          key, value, "target-file-size", "1000 b", "source.split.open-file-cost", "0 b"
        },
        0,
        all,
        0,
        6);
    System.arraycopy(options, 0, all, 6, options.length);
    return all;
  }

  PlannedTable at(Clock other) {
    clock = other;
    return this;
  }

  /** Gives a file a deletion vector; null = of unknown cardinality. */
  PlannedTable vector(String indexFile, String dataFile, @Nullable Long deleted) {
    vectors.put(
        dataFile,
        new IndexedVector("/index/" + indexFile, new DeletionVectorRef(dataFile, 1, 9, deleted)));
    return this;
  }

  FileAddresses addresses() {
    return FileAddresses.of(
        TableLayout.of(new Location("file:/wh/t")), schema, TableOptions.of(schema).fileLayout());
  }

  TableSchema schema() {
    return schema;
  }

  CompactionPlanner planner() {
    TableOptions options = TableOptions.of(schema);
    return new CompactionPlanner(schema, options, addresses(), clock);
  }

  BucketFiles bucket(DataFile... files) {
    return bucket(List.of(files));
  }

  BucketFiles bucket(List<DataFile> files) {
    return new BucketFiles(BinaryRow.EMPTY, 0, 1, files, vectors, List.of(), Set.of());
  }

  /** What {@code minor} plans for these files. */
  List<String> minor(DataFile... files) {
    return planner().minor(bucket(files)).map(PlannedTable::text).orElse(List.of());
  }

  /** What {@code full} plans for these files. */
  List<String> full(DataFile... files) {
    return planner().full(bucket(files)).map(PlannedTable::text).orElse(List.of());
  }

  static BinaryRow key(int value) {
    return CODEC.encode(List.of(value));
  }

  /** A file of a keyed table; its name says nothing. */
  static DataFiles file(String name, int level, int min, int max) {
    return DataFiles.named(name).level(level).keys(key(min), key(max)).size(1000).rows(100);
  }

  /** A plan as text: {@code "L5 rewrite a b drop"}, {@code "L5 upgrade c"}, with upper files. */
  static List<String> text(CompactionPlan plan) {
    return plan.steps().stream().map(step -> "L" + plan.outputLevel() + " " + text(step)).toList();
  }

  private static String text(CompactionStep step) {
    if (step instanceof Rewrite rewrite) {
      return "rewrite"
          + names(rewrite.inputs())
          + (rewrite.deletes() == CompactionStep.Deletes.DROPPED ? " drop" : " keep")
          + upper(rewrite.upper());
    }
    return step instanceof Upgrade upgrade
        ? "upgrade" + names(upgrade.inputs()) + upper(upgrade.upper())
        : "concatenate" + names(step.inputs());
  }

  private static String upper(List<CompactionInput> upper) {
    return upper.isEmpty() ? "" : " above" + names(upper);
  }

  private static String names(List<CompactionInput> inputs) {
    StringBuilder names = new StringBuilder();
    inputs.forEach(input -> names.append(' ').append(input.file().name()));
    return names.toString();
  }
}
