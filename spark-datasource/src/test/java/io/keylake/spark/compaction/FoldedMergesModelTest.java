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

package io.keylake.spark.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.compaction.MergedTable.Stored;
import io.keylake.spark.compaction.MergedTable.Written;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.merge.fold.FoldedRows;
import io.keylake.spark.merge.fold.KeyFolder;
import io.keylake.spark.merge.fold.VersionBatch;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.compaction.RecordExpiry;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.options.engine.EngineRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random runs of engines that compute rows, and of first-row: what rewrites write and mark equals
 * one fold of all rows of each key, in order, however many passes and parts it takes. The seed is
 * printed; {@code -Dkeylake.test.seed=N} repeats a run.
 */
final class FoldedMergesModelTest {
  private static final int TABLES_PER_ENGINE = 6;
  private static final int KEY_SPACE = 120;

  @TempDir private Path folder;

  /** Merge engines with options. */
  enum Engine {
    AGGREGATION(
        "aggregation",
        Map.of(
            "fields.n.aggregate-function",
            "sum",
            "fields.m.aggregate-function",
            "max",
            "fields.m.ignore-retract",
            "true",
            "fields.t.aggregate-function",
            "listagg",
            "fields.t.ignore-retract",
            "true")),
    AGGREGATION_REMOVING(
        "aggregation",
        Map.of(
            "fields.n.aggregate-function", "sum", "aggregation.remove-record-on-delete", "true")),
    AGGREGATION_BY_FIELD(
        "aggregation", Map.of("fields.n.aggregate-function", "sum", "sequence.field", "o")),
    PARTIAL_UPDATE("partial-update", Map.of("ignore-delete", "true")),
    PARTIAL_UPDATE_BY_FIELD(
        "partial-update",
        Map.of(
            "ignore-delete",
            "true",
            "sequence.field",
            "o",
            "sequence.field.sort-order",
            "descending")),
    PARTIAL_UPDATE_REMOVING(
        "partial-update", Map.of("partial-update.remove-record-on-delete", "true")),
    PARTIAL_UPDATE_GROUPS(
        "partial-update",
        Map.of("fields.o.sequence-group", "n,t", "fields.n.aggregate-function", "sum")),
    FIRST_ROW("first-row", Map.of("ignore-delete", "true"));

    private final Map<String, String> options;

    Engine(String name, Map<String, String> options) {
      Map<String, String> all = new HashMap<>(options);
      all.put("merge-engine", name);
      this.options = Map.copyOf(all);
    }

    boolean picks() {
      return this == FIRST_ROW;
    }

    boolean skipsRetracts() {
      return options.containsKey("ignore-delete");
    }

    /** Whether the sequence field decides before the number. */
    boolean isByField() {
      return options.containsKey("sequence.field");
    }

    boolean isDescending() {
      return options.containsKey("sequence.field.sort-order");
    }
  }

  private record Place(Written file, long position, boolean staying, Stored row) {}

  private record Outcome(List<String> rows, Map<String, Set<Long>> marks) {}

  private static final class Case {
    final Engine engine;
    final Random random;
    final boolean shuffled;
    final MergedTable table;
    final IdentityHashMap<Stored, Row> values = new IdentityHashMap<>();

    Case(Engine engine, Random random, Path home) throws IOException {
      this.engine = engine;
      this.random = random;
      this.shuffled = random.nextBoolean();
      List<DataField> fields =
          List.of(
              DataField.of(0, "k", DataTypes.INT.asNotNull()),
              DataField.of(1, "n", DataTypes.BIGINT),
              DataField.of(2, "m", DataTypes.INT),
              DataField.of(3, "t", DataTypes.STRING),
              DataField.of(4, "o", DataTypes.INT));
      int pageRows = 5 + random.nextInt(60);
      table =
          new MergedTable(
              Files.createDirectory(home),
              TestRows.schema(fields, List.of(), List.of("k"), engine.options),
              BinaryRow.EMPTY,
              spec -> MergedTable.small(spec, pageRows, random.nextBoolean() ? 3000 : 1 << 20));
    }

    Row row(int key) {
      return RowFactory.create(
          key,
          nullOr((long) random.nextInt(1000)),
          nullOr(random.nextInt(1000)),
          nullOr("t" + random.nextInt(1000)),
          nullOr(random.nextInt(5)));
    }

    private Object nullOr(Object value) {
      return random.nextInt(4) == 0 ? null : value;
    }

    BinaryRow key(int number) {
      return table.stored(row(number), 0, (byte) 0).key();
    }

    Integer order(Place place) {
      return (Integer) values.get(place.row()).get(4);
    }
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void rewritesEqualOneFoldOfAllRows(Engine engine) throws IOException {
    long seed = Long.getLong("keylake.test.seed", 14);
    for (int number = 0; number < TABLES_PER_ENGINE; number++) {
      long tableSeed = seed + number;
      try {
        Path home = folder.resolve(Integer.toString(number));
        check(new Case(engine, new Random(tableSeed), home));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dkeylake.test.seed=" + tableSeed + " " + engine, e);
      }
    }
  }

  @Test
  void itIsTheFoldedRowThatExpires() throws IOException {
    Case test = new Case(Engine.AGGREGATION, new Random(1), folder.resolve("expiring"));
    Written older = written(test, 1, 1, List.of(at(1, 100), at(2, 100), at(3, 100), at(4, 900)));
    Written newer = written(test, 0, 2, List.of(at(1, 200), at(2, 900), at(4, 100)));
    CompactionSpec all = test.table.spec();
    CompactionSpec expiring =
        new CompactionSpec(
            all.table(),
            all.merge(),
            all.files(),
            all.layout(),
            all.fileSchemas(),
            all.addedDefaults(),
            new RecordExpiry("m", 500_000L),
            null);
    KeyMerges merges =
        new KeyMerges(
            new StepStorage(expiring, test.table.environment(StopCheck.NEVER)), 64, 1L << 40);
    Rewrite step =
        new Rewrite(
            List.of(test.table.input(newer), test.table.input(older)),
            List.of(),
            Deletes.DROPPED,
            KeyRange.ALL);
    List<DataFile> files = merges.rewrite(test.table.plan(5, List.of(step)), step).added();
    assertThat(test.table.read(files.get(0)))
        .map(Stored::text)
        .containsExactly(
            "{\"k\":2,\"n\":2,\"m\":900,\"t\":null,\"o\":null}",
            "{\"k\":4,\"n\":2,\"m\":900,\"t\":null,\"o\":null}");
  }

  private static Row at(int key, int seconds) {
    return RowFactory.create(key, 1L, seconds, null, null);
  }

  private static Written written(Case test, int rank, long sequence, List<Row> rows)
      throws IOException {
    List<Stored> shown =
        rows.stream().map(row -> test.table.stored(row, sequence, (byte) 0)).toList();
    return test.table.write(0, rank, test.table.schema, rows, shown);
  }

  private static void check(Case test) throws IOException {
    Random random = test.random;
    int levelZeroRuns = 1 + random.nextInt(6);
    int inputLevels = random.nextInt(3);
    int upperLevels = random.nextInt(3);
    int runs = levelZeroRuns + inputLevels + upperLevels;
    List<Written> inputs = new ArrayList<>();
    List<Written> high = new ArrayList<>();
    for (int rank = 0; rank < runs; rank++) {
      int level = Math.max(0, rank - levelZeroRuns + 1);
      List<Written> files = run(test, rank, level, runs - rank);
      if (level > 0) {
        deleteHeld(test, files, high);
        high.addAll(files);
      }
      if (rank < levelZeroRuns + inputLevels) {
        inputs.addAll(files);
      }
    }
    List<Written> upper = high.stream().filter(file -> !inputs.contains(file)).toList();
    Deletes deletes = random.nextBoolean() ? Deletes.DROPPED : Deletes.KEPT;
    Outcome expected = naive(test, inputs, upper, deletes);
    assertRewritten(test, inputs, upper, deletes, List.of(KeyRange.ALL), expected);
    BinaryRow cut = test.key(random.nextInt(KEY_SPACE));
    assertRewritten(
        test,
        inputs,
        upper,
        deletes,
        List.of(new KeyRange(null, cut), new KeyRange(cut, null)),
        expected);
  }

  private static List<Written> run(Case test, int rank, int level, int age) throws IOException {
    Random random = test.random;
    TreeSet<Integer> keys = new TreeSet<>();
    int first = random.nextInt(KEY_SPACE);
    for (int i = 1 + random.nextInt(KEY_SPACE); i > 0; i--) {
      keys.add(Math.floorMod(first + random.nextInt(KEY_SPACE / 2), KEY_SPACE));
    }
    List<Integer> sorted = List.copyOf(keys);
    List<Written> files = new ArrayList<>();
    int from = 0;
    while (from < sorted.size()) {
      boolean split = level > 0 && random.nextInt(3) == 0;
      int to = split ? from + 1 + random.nextInt(sorted.size() - from) : sorted.size();
      files.add(file(test, rank, level, age, sorted.subList(from, to)));
      from = to;
    }
    return files;
  }

  private static Written file(Case test, int rank, int level, int age, List<Integer> keys)
      throws IOException {
    Random random = test.random;
    List<Row> rows = new ArrayList<>();
    List<Stored> shown = new ArrayList<>();
    for (int key : keys) {
      long sequence = test.shuffled ? random.nextInt(60) : age * 10_000L + key;
      int kind = random.nextInt(4) > 0 || level > 0 ? 2 * random.nextInt(2) : random.nextInt(4);
      Row row = test.row(key);
      Stored stored = test.table.stored(row, sequence, (byte) kind);
      rows.add(row);
      shown.add(stored);
      test.values.put(stored, row);
    }
    Written file = test.table.write(level, rank, test.table.schema, rows, shown);
    for (long position = 0; level > 0 && position < keys.size(); position++) {
      if (random.nextInt(8) == 0) {
        file.deleted().add(position);
      }
    }
    return file;
  }

  /** A key is there once above level 0: the older ones are deleted. */
  private static void deleteHeld(Case test, List<Written> files, List<Written> newer) {
    TreeMap<BinaryRow, List<Place>> held = new TreeMap<>(test.table.keyOrder);
    collect(test, held, newer, true);
    for (Written file : files) {
      for (int i = 0; i < file.rows().size(); i++) {
        if (held.containsKey(file.rows().get(i).key())) {
          file.deleted().add((long) i);
        }
      }
    }
  }

  private static void collect(
      Case test, Map<BinaryRow, List<Place>> places, List<Written> files, boolean staying) {
    for (Written file : files) {
      for (int i = 0; i < file.rows().size(); i++) {
        Stored row = file.rows().get(i);
        boolean ignored = test.engine.skipsRetracts() && isRetract(row.kind());
        if (!file.deleted().contains((long) i) && !ignored) {
          places
              .computeIfAbsent(row.key(), key -> new ArrayList<>())
              .add(new Place(file, i, staying, row));
        }
      }
    }
  }

  private static boolean isRetract(byte kind) {
    return ChangeKind.ofCode(kind).isRetract();
  }

  private static Outcome naive(
      Case test, List<Written> inputs, List<Written> upper, Deletes deletes) {
    TreeMap<BinaryRow, List<Place>> places = new TreeMap<>(test.table.keyOrder);
    collect(test, places, inputs, false);
    collect(test, places, upper, true);
    List<String> rows = new ArrayList<>();
    Map<String, Set<Long>> marks = new HashMap<>();
    for (List<Place> versions : places.values()) {
      if (versions.stream().allMatch(Place::staying)) {
        continue;
      }
      if (test.engine.picks()) {
        Place first = versions.stream().min(firstRowOrder()).orElseThrow();
        if (!first.staying()) {
          add(rows, first.row().sequence(), first.row().kind(), first.row().text(), deletes);
        }
        continue;
      }
      versions.sort(age(test));
      for (Place version : versions) {
        if (version.staying()) {
          marks
              .computeIfAbsent(version.file().file().name(), name -> new TreeSet<>())
              .add(version.position());
        }
      }
      if (versions.size() == 1) {
        Stored row = versions.get(0).row();
        add(rows, row.sequence(), row.kind(), row.text(), deletes);
      } else {
        fold(test, versions, rows, deletes);
      }
    }
    return new Outcome(rows, marks);
  }

  private static void add(
      List<String> rows, long sequence, byte kind, String text, Deletes deletes) {
    if (deletes == Deletes.KEPT || !isRetract(kind)) {
      rows.add(sequence + " " + kind + " " + text);
    }
  }

  private static Comparator<Place> firstRowOrder() {
    return Comparator.<Place, Boolean>comparing(place -> place.file().file().level() == 0)
        .thenComparing(place -> place.row().sequence())
        .thenComparing(place -> -place.file().rank());
  }

  /** Oldest first. */
  private static Comparator<Place> age(Case test) {
    Comparator<Place> byNumber =
        Comparator.<Place, Long>comparing(place -> place.row().sequence())
            .thenComparing(place -> -place.file().rank());
    if (!test.engine.isByField()) {
      return byNumber;
    }
    Comparator<Integer> values =
        test.engine.isDescending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    return Comparator.comparing(test::order, Comparator.nullsFirst(values)).thenComparing(byNumber);
  }

  private static void fold(Case test, List<Place> versions, List<String> rows, Deletes deletes) {
    List<UnsafeRow> unsafe =
        TestRows.unsafe(
            test.table.schema.fields(),
            versions.stream().map(version -> test.values.get(version.row())).toList());
    List<Integer> all = IntStream.range(0, 5).boxed().toList();
    EngineRules rules = EngineRules.of(test.table.schema, "t");
    try (VersionBatch batch = new VersionBatch(test.table.type());
        KeyFolder folder = new KeyFolder("t", test.table.schema, rules, all)) {
      batch.beginKey();
      for (int i = 0; i < versions.size(); i++) {
        UnsafeRow row = unsafe.get(i);
        Stored stored = versions.get(i).row();
        batch.append(
            row.getBaseObject(),
            row.getBaseOffset(),
            row.getSizeInBytes(),
            stored.sequence(),
            stored.kind());
      }
      FoldedRows folded = folder.fold(batch);
      ColumnVector[] columns = all.stream().map(folded::column).toArray(ColumnVector[]::new);
      String text = CanonicalText.of(new ColumnarBatch(columns, 1).getRow(0), test.table.type());
      add(rows, folded.sequenceNumbers().getLong(0), folded.kinds().getByte(0), text, deletes);
    }
  }

  private static void assertRewritten(
      Case test,
      List<Written> inputs,
      List<Written> upper,
      Deletes deletes,
      List<KeyRange> ranges,
      Outcome expected)
      throws IOException {
    List<CompactionInput> from = new ArrayList<>();
    for (Written input : inputs) {
      from.add(test.table.input(input));
    }
    List<CompactionInput> above = new ArrayList<>();
    for (Written file : upper) {
      above.add(test.table.input(file));
    }
    KeyMerges merges =
        new KeyMerges(
            new StepStorage(test.table.spec(), test.table.environment(StopCheck.NEVER)),
            test.random.nextBoolean() ? 64 : 3,
            test.random.nextBoolean() ? 1L << 40 : 1 + test.random.nextInt(5000));
    List<String> seen = new ArrayList<>();
    Map<String, Set<Long>> marks = new HashMap<>();
    for (KeyRange range : ranges) {
      Rewrite step = new Rewrite(from, above, deletes, range);
      StepResult result = merges.rewrite(test.table.plan(3, List.of(step)), step);
      for (DataFile file : result.added()) {
        List<Stored> rows = test.table.read(file);
        rows.forEach(row -> seen.add(row.sequence() + " " + row.kind() + " " + row.text()));
        assertThat(file.rowCount()).isEqualTo(rows.size());
        assertThat(file.deleteRowCount())
            .isEqualTo(rows.stream().filter(row -> isRetract(row.kind())).count());
      }
      result
          .marks()
          .forEach(
              (name, vector) ->
                  vector.forEach(marks.computeIfAbsent(name, file -> new TreeSet<>())::add));
    }
    assertThat(seen).containsExactlyElementsOf(expected.rows());
    assertThat(marks).isEqualTo(expected.marks());
  }
}
