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
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.spark.compaction.MergedTable.Stored;
import io.keylake.spark.compaction.MergedTable.Written;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.lsm.KeyRange;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Random runs: what rewrites write and mark equals a naive merge in memory. The seed is printed;
 * {@code -Dkeylake.test.seed=N} repeats a run.
 */
final class KeyMergesModelTest {
  private static final int TABLES_PER_SHAPE = 2;
  private static final int KEY_SPACE = 160;
  private static final int FIRST_VALUE = 10;

  @TempDir private Path folder;

  /** The key columns. */
  enum Shape {
    LONG(DataTypes.BIGINT),
    SHORT(DataTypes.SMALLINT),
    INT_LONG(DataTypes.INT, DataTypes.BIGINT),
    STRING(DataTypes.STRING),
    STRING_INT(DataTypes.STRING, DataTypes.INT),
    DECIMAL(DataTypes.decimal(10, 2)),
    WIDE_DECIMAL(DataTypes.decimal(30, 3)),
    BYTES(DataTypes.BYTES),
    TIME_STRING(DataTypes.timestamp(6), DataTypes.STRING),
    THREE_INTS(DataTypes.INT, DataTypes.INT, DataTypes.INT),
    DOUBLE(DataTypes.DOUBLE);

    private final List<DataType> types;

    Shape(DataType... types) {
      this.types = List.of(types);
    }
  }

  private static final class Case {
    final Random random;
    final Shape shape;
    final boolean partitioned;
    final boolean ignoreDelete;
    final boolean sequenceField;
    final boolean shuffled;
    final TableSchema old;
    final MergedTable table;
    final IdentityHashMap<Stored, Integer> orders = new IdentityHashMap<>();

    Case(Shape shape, Random random, Path home) throws IOException {
      this.random = random;
      this.shape = shape;
      this.partitioned = random.nextInt(3) == 0;
      this.ignoreDelete = random.nextInt(5) == 0;
      this.sequenceField = random.nextInt(5) == 0;
      this.shuffled = random.nextBoolean();
      this.old = schema(0);
      TableSchema current = schema(1);
      BinaryRow partition =
          partitioned
              ? BinaryRowCodec.of(current.partitionType()).encode(List.of("p\u00e9"))
              : BinaryRow.EMPTY;
      int pageRows = 5 + random.nextInt(60);
      long target = random.nextBoolean() ? 4000 : 1 << 20;
      table =
          new MergedTable(
              Files.createDirectory(home),
              current,
              partition,
              spec -> MergedTable.small(spec, pageRows, target));
      table.fileSchemas.put(0L, old);
      table.addedDefaults.put(FIRST_VALUE + 9, 77L);
    }

    private TableSchema schema(int version) {
      List<DataField> fields = new ArrayList<>();
      List<String> keys = new ArrayList<>();
      fields.add(DataField.of(FIRST_VALUE, "n", DataTypes.BIGINT));
      for (int i = 0; i < shape.types.size(); i++) {
        fields.add(DataField.of(i, "k" + i, shape.types.get(i).asNotNull()));
        keys.add("k" + i);
      }
      RowType pair =
          new RowType(
              List.of(
                  DataField.of(FIRST_VALUE + 20, "x", DataTypes.INT),
                  DataField.of(FIRST_VALUE + 21, "y", DataTypes.STRING)),
              true);
      fields.add(DataField.of(FIRST_VALUE + 1, version == 0 ? "s" : "text", DataTypes.STRING));
      fields.add(DataField.of(FIRST_VALUE + 2, "b", DataTypes.BOOLEAN));
      fields.add(DataField.of(FIRST_VALUE + 3, "d", DataTypes.decimal(25, 2)));
      fields.add(DataField.of(FIRST_VALUE + 4, "l", new ArrayType(DataTypes.INT, true)));
      fields.add(DataField.of(FIRST_VALUE + 5, "st", pair));
      fields.add(
          DataField.of(
              FIRST_VALUE + 6,
              "m",
              new MapType(DataTypes.STRING.asNotNull(), DataTypes.INT, true)));
      fields.add(
          DataField.of(FIRST_VALUE + 7, "w", version == 0 ? DataTypes.INT : DataTypes.BIGINT));
      fields.add(DataField.of(FIRST_VALUE + 8, "o", DataTypes.INT));
      if (version == 1) {
        fields.add(DataField.of(FIRST_VALUE + 9, "added", DataTypes.BIGINT));
      }
      List<String> partitionKeys = new ArrayList<>();
      if (partitioned) {
        fields.add(DataField.of(FIRST_VALUE + 11, "p", DataTypes.STRING.asNotNull()));
        partitionKeys.add("p");
        keys.add("p");
      }
      Map<String, String> options = new HashMap<>();
      options.put("ignore-delete", Boolean.toString(ignoreDelete));
      if (sequenceField) {
        options.put("sequence.field", "o");
      }
      TableSchema first = TestRows.schema(fields, partitionKeys, keys, options);
      return new TableSchema(
          first.version(),
          version,
          first.fields(),
          first.highestFieldId(),
          first.partitionKeys(),
          first.primaryKeys(),
          first.options(),
          null,
          0,
          first.unknown());
    }

    /**
     * A row of the schema {@code version}; rows of the old one have the default in the new column.
     */
    List<Object> values(int number, boolean isOld) {
      List<Object> row = new ArrayList<>();
      row.add(nullOr(random.nextLong()));
      row.addAll(key(number));
      row.add(nullOr("text".repeat(random.nextInt(4)) + random.nextInt(5)));
      row.add(nullOr(random.nextBoolean()));
      row.add(nullOr(new BigDecimal(random.nextInt(100000) - 50000 + ".25")));
      row.add(nullOr(list()));
      row.add(
          nullOr(RowFactory.create(nullOr(random.nextInt(9)), nullOr("y" + random.nextInt(9)))));
      row.add(
          nullOr(
              scala.collection.immutable.Map.from(
                  CollectionConverters.asScala(
                      Map.of("a" + random.nextInt(3), random.nextInt(9))))));
      row.add(nullOr((long) random.nextInt()));
      row.add(nullOr(random.nextInt(4)));
      row.add(isOld ? (Object) 77L : nullOr(random.nextLong()));
      if (partitioned) {
        row.add("p\u00e9");
      }
      return row;
    }

    private Object list() {
      List<Integer> list = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(random.nextInt(5) == 0 ? null : random.nextInt(100));
      }
      return CollectionConverters.asScala(list).toSeq();
    }

    private Object nullOr(Object value) {
      return random.nextInt(7) == 0 ? null : value;
    }

    List<Object> key(int number) {
      List<Object> key = new ArrayList<>();
      int shift = number - KEY_SPACE / 2;
      for (int i = 0; i < shape.types.size(); i++) {
        int part = i == shape.types.size() - 1 ? shift : Math.floorMod(shift, 5) - 2;
        key.add(
            switch (shape.types.get(i).root()) {
              case BIGINT -> part * 3_000_000_000L;
              case SMALLINT -> (short) part;
              case INT -> part;
              case DECIMAL ->
                  shape == Shape.DECIMAL
                      ? new BigDecimal(part + ".50")
                      : new BigDecimal(part + "00000000000000000000.125");
              case VARBINARY ->
                  new byte[] {7, 7, (byte) (part >> 4), (byte) part, (byte) (part >> 8)};
              case TIMESTAMP ->
                  LocalDateTime.ofInstant(Instant.ofEpochSecond(part, 1000), ZoneOffset.UTC);
              case DOUBLE -> part / 4.0;
              default -> "common-prefix-of-all-" + (part % 3 == 0 ? "" : "\u00e9\u0000") + part;
            });
      }
      return key;
    }

    /** The values as a file of the old schema has them. */
    List<Object> asOld(List<Object> values) {
      List<Object> row = new ArrayList<>(values);
      int first = 1 + shape.types.size();
      Object wide = row.get(first + 6);
      row.set(first + 6, wide == null ? null : ((Long) wide).intValue());
      row.remove(first + 8);
      return row;
    }

    Integer order(List<Object> values) {
      return (Integer) values.get(1 + shape.types.size() + 7);
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void rewritesEqualNaiveMerge(Shape shape) throws IOException {
    long seed = Long.getLong("keylake.test.seed", 14);
    for (int table = 0; table < TABLES_PER_SHAPE; table++) {
      long tableSeed = seed + table;
      try {
        check(new Case(shape, new Random(tableSeed), folder.resolve(Integer.toString(table))));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dkeylake.test.seed=" + tableSeed + " " + shape, e);
      }
    }
  }

  private void check(Case test) throws IOException {
    Random random = test.random;
    int inputRuns = 1 + random.nextInt(5);
    int upperRuns = random.nextInt(3);
    List<Written> inputs = new ArrayList<>();
    for (int rank = 0; rank < inputRuns; rank++) {
      inputs.addAll(run(test, rank, rank == 0 ? 0 : rank, inputRuns + upperRuns - rank, true));
    }
    List<Written> upper = new ArrayList<>();
    for (int i = 0; i < upperRuns; i++) {
      int rank = inputRuns + i;
      List<Written> files = run(test, rank, rank, upperRuns - i, false);
      deleteHeld(test, files, upper);
      upper.addAll(files);
    }
    Deletes deletes = random.nextBoolean() ? Deletes.DROPPED : Deletes.KEPT;
    Outcome expected = naive(test, inputs, upper, deletes);
    assertRewritten(test, inputs, upper, deletes, List.of(KeyRange.ALL), expected);
    BinaryRow cut = test.table.stored(row(test, random.nextInt(KEY_SPACE)), 0, (byte) 0).key();
    assertRewritten(
        test,
        inputs,
        upper,
        deletes,
        List.of(new KeyRange(null, cut), new KeyRange(cut, null)),
        expected);
    for (Written file : upper.isEmpty() ? List.<Written>of() : inputs.subList(0, 1)) {
      if (!test.ignoreDelete || file.file().deleteRowCount() == 0) {
        assertUpgraded(test, file, upper);
      }
    }
  }

  private static Row row(Case test, int key) {
    return RowFactory.create(test.values(key, false).toArray());
  }

  /** Writes a run as some files, with deletion vectors now and then. */
  private static List<Written> run(Case test, int rank, int level, int age, boolean deletes)
      throws IOException {
    Random random = test.random;
    int size = 1 + random.nextInt(random.nextBoolean() ? KEY_SPACE : KEY_SPACE / 4);
    int first = random.nextInt(KEY_SPACE);
    TreeMap<BinaryRow, Integer> numbers = new TreeMap<>(test.table.keyOrder);
    for (int i = 0; i < size; i++) {
      int number =
          random.nextBoolean() ? random.nextInt(KEY_SPACE) : Math.floorMod(first + i, KEY_SPACE);
      numbers.put(test.table.stored(row(test, number), 0, (byte) 0).key(), number);
    }
    List<Integer> keys = List.copyOf(numbers.values());
    List<Written> files = new ArrayList<>();
    int from = 0;
    while (from < keys.size()) {
      int to = random.nextInt(3) == 0 ? from + 1 + random.nextInt(keys.size() - from) : keys.size();
      Written file = file(test, rank, level, age, keys.subList(from, to), deletes);
      for (long position = 0; position < to - from && random.nextInt(3) > 0; position++) {
        if (random.nextInt(6) == 0) {
          file.deleted().add(position);
        }
      }
      files.add(file);
      from = to;
    }
    return files;
  }

  private static Written file(
      Case test, int rank, int level, int age, List<Integer> keys, boolean deletes)
      throws IOException {
    Random random = test.random;
    boolean isOld = random.nextInt(3) == 0;
    List<Row> rows = new ArrayList<>();
    List<Stored> shown = new ArrayList<>();
    for (int key : keys) {
      List<Object> values = test.values(key, isOld);
      long sequence = test.shuffled ? random.nextInt(60) : age * 10_000L + key;
      byte kind = (byte) (random.nextInt(5) > 0 ? 0 : random.nextInt(deletes ? 4 : 1));
      kind = !deletes && random.nextInt(9) == 0 ? ChangeKind.UPDATE_AFTER.code() : kind;
      shown.add(test.table.stored(RowFactory.create(values.toArray()), sequence, kind));
      rows.add(RowFactory.create((isOld ? test.asOld(values) : values).toArray()));
      test.orders.put(shown.get(shown.size() - 1), test.order(values));
    }
    return test.table.write(level, rank, isOld ? test.old : test.table.schema, rows, shown);
  }

  /** A key is there in one file above the output at most: the older ones are deleted. */
  private static void deleteHeld(Case test, List<Written> files, List<Written> newer) {
    TreeSet<BinaryRow> held = new TreeSet<>(test.table.keyOrder);
    for (Written file : newer) {
      for (int i = 0; i < file.rows().size(); i++) {
        if (!file.deleted().contains((long) i)) {
          held.add(file.rows().get(i).key());
        }
      }
    }
    for (Written file : files) {
      for (int i = 0; i < file.rows().size(); i++) {
        if (held.contains(file.rows().get(i).key())) {
          file.deleted().add((long) i);
        }
      }
    }
  }

  private record Outcome(List<Stored> rows, Map<String, Set<Long>> marks) {}

  private record Place(Written file, long position, boolean staying, Stored row) {}

  private static Outcome naive(
      Case test, List<Written> inputs, List<Written> upper, Deletes deletes) {
    TreeMap<BinaryRow, List<Place>> places = new TreeMap<>(test.table.keyOrder);
    collect(test, places, inputs, false);
    collect(test, places, upper, true);
    List<Stored> rows = new ArrayList<>();
    Map<String, Set<Long>> marks = new HashMap<>();
    for (List<Place> versions : places.values()) {
      if (versions.stream().allMatch(Place::staying)) {
        continue;
      }
      Place newest = versions.get(0);
      for (Place version : versions) {
        newest = isNewer(test, version, newest) ? version : newest;
      }
      for (Place version : versions) {
        if (!version.equals(newest) && version.staying()) {
          marks
              .computeIfAbsent(version.file().file().name(), name -> new TreeSet<>())
              .add(version.position());
        }
      }
      boolean isDelete = ChangeKind.ofCode(newest.row().kind()).isRetract();
      if (!newest.staying() && !(isDelete && deletes == Deletes.DROPPED)) {
        rows.add(newest.row());
      }
    }
    return new Outcome(rows, marks);
  }

  private static void collect(
      Case test, Map<BinaryRow, List<Place>> places, List<Written> files, boolean staying) {
    for (Written file : files) {
      for (int i = 0; i < file.rows().size(); i++) {
        Stored row = file.rows().get(i);
        boolean ignored = test.ignoreDelete && ChangeKind.ofCode(row.kind()).isRetract();
        if (!file.deleted().contains((long) i) && !ignored) {
          places
              .computeIfAbsent(row.key(), key -> new ArrayList<>())
              .add(new Place(file, i, staying, row));
        }
      }
    }
  }

  private static boolean isNewer(Case test, Place left, Place right) {
    int order = 0;
    if (test.sequenceField) {
      Integer a = test.orders.get(left.row());
      Integer b = test.orders.get(right.row());
      order =
          a == null || b == null ? Boolean.compare(a != null, b != null) : Integer.compare(a, b);
    }
    order = order == 0 ? Long.compare(left.row().sequence(), right.row().sequence()) : order;
    return order == 0 ? left.file().rank() < right.file().rank() : order > 0;
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
    StepStorage storage =
        new StepStorage(test.table.spec(), test.table.environment(StopCheck.NEVER));
    KeyMerges merges =
        new KeyMerges(
            storage,
            test.random.nextBoolean() ? 64 : 3,
            test.random.nextBoolean() ? 1L << 40 : 1 + test.random.nextInt(5000));
    List<Stored> seen = new ArrayList<>();
    Map<String, Set<Long>> marks = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (KeyRange range : ranges) {
      CompactionStep.Rewrite step = new CompactionStep.Rewrite(from, above, deletes, range);
      CompactionPlan plan = test.table.plan(1, List.of(step));
      StepResult result = merges.rewrite(plan, step);
      for (DataFile file : result.added()) {
        List<Stored> rows = test.table.read(file);
        assertDescribed(
            file, rows, expected.rows().subList(seen.size(), seen.size() + rows.size()));
        seen.addAll(rows);
        names.add(file.name());
      }
      result.marks().forEach((name, vector) -> add(marks, name, vector));
    }
    assertThat(seen)
        .map(row -> row.sequence() + " " + row.kind() + " " + row.text())
        .containsExactlyElementsOf(
            expected.rows().stream()
                .map(row -> row.sequence() + " " + row.kind() + " " + row.text())
                .toList());
    assertThat(marks).isEqualTo(expected.marks());
    for (var place : storage.written()) {
      assertThat(test.table.io.exists(place)).isEqualTo(names.contains(place.name()));
    }
  }

  private static void add(Map<String, Set<Long>> marks, String name, DeletionVector vector) {
    vector.forEach(marks.computeIfAbsent(name, file -> new TreeSet<>())::add);
  }

  private static void assertDescribed(DataFile file, List<Stored> rows, List<Stored> expected) {
    assertThat(file.level()).isEqualTo(1);
    assertThat(file.schemaId()).isEqualTo(1);
    assertThat(file.rowCount()).isEqualTo(rows.size());
    assertThat(file.minKey()).isEqualTo(expected.get(0).key());
    assertThat(file.maxKey()).isEqualTo(expected.get(expected.size() - 1).key());
    assertThat(file.minSequenceNumber())
        .isEqualTo(rows.stream().mapToLong(Stored::sequence).min().orElseThrow());
    assertThat(file.maxSequenceNumber())
        .isEqualTo(rows.stream().mapToLong(Stored::sequence).max().orElseThrow());
    assertThat(file.deleteRowCount())
        .isEqualTo(rows.stream().filter(row -> ChangeKind.ofCode(row.kind()).isRetract()).count());
  }

  private static void assertUpgraded(Case test, Written file, List<Written> upper)
      throws IOException {
    TreeMap<BinaryRow, List<Place>> places = new TreeMap<>(test.table.keyOrder);
    collect(test, places, List.of(file), true);
    collect(test, places, upper, true);
    Map<String, Set<Long>> expected = new HashMap<>();
    for (List<Place> versions : places.values()) {
      Place newest = versions.get(0);
      for (Place version : versions) {
        newest = isNewer(test, version, newest) ? version : newest;
      }
      for (Place version : versions) {
        if (!version.equals(newest)) {
          expected
              .computeIfAbsent(version.file().file().name(), name -> new TreeSet<>())
              .add(version.position());
        }
      }
    }
    List<CompactionInput> above = new ArrayList<>();
    for (Written one : upper) {
      above.add(test.table.input(one));
    }
    CompactionInput input = test.table.input(file);
    CompactionStep.Upgrade step = new CompactionStep.Upgrade(input, above);
    try (StepRunner runner =
        StepRunner.of(test.table.spec(), test.table.environment(StopCheck.NEVER))) {
      StepResult result = runner.run(test.table.plan(4, List.of(step)), step);
      Map<String, Set<Long>> marks = new HashMap<>();
      result.marks().forEach((name, vector) -> add(marks, name, vector));
      assertThat(marks).isEqualTo(expected);
      assertThat(result.added()).containsExactly(input.file().withLevel(4));
      assertThat(runner.written()).isEmpty();
    }
  }
}
