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

package io.keylake.spark.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.KeyedTable.Written;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.SortedRun;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.split.FoldSplit;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random buckets of engines that compute rows: what planned splits give equals a naive fold in
 * memory. The seed is printed; {@code -Dkeylake.test.seed=N} repeats a run.
 */
final class FoldReaderModelTest {
  private static final int TABLES_PER_SHAPE = 6;
  private static final int KEY_SPACE = 300;

  /** How rows of a key are folded. */
  private enum Engine {
    SUM(Map.of("merge-engine", "aggregation", "fields.n.aggregate-function", "sum")),
    PARTIAL(Map.of("merge-engine", "partial-update", "ignore-delete", "true")),
    GROUP(Map.of("merge-engine", "partial-update", "fields.o.sequence-group", "s"));

    private final Map<String, String> options;

    Engine(Map<String, String> options) {
      this.options = options;
    }
  }

  /** A stored row that is there, and where. */
  private record Place(Version row, String file, long position, int level, int rank) {}

  /** What stands for a key; kept as it is folded. */
  private static final class State {
    private boolean added;
    private @Nullable Long number;
    private @Nullable String text;
    private @Nullable Integer order;

    String shown() {
      return number + " " + text + " " + order;
    }
  }

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void foldedReadsEqualNaiveFolds(KeyShape shape) throws IOException {
    long seed = Long.getLong("keylake.test.seed", 14);
    for (int table = 0; table < TABLES_PER_SHAPE; table++) {
      long tableSeed = seed + table;
      try {
        new Table(shape, new Random(tableSeed), folder.resolve(Integer.toString(table))).check();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dkeylake.test.seed=" + tableSeed + " " + shape, e);
      }
    }
  }

  /** One random table. */
  private static final class Table {
    private final KeyShape shape;
    private final Random random;
    private final Path home;
    private final Engine engine;
    private final boolean lookup;
    private final boolean userSequence;
    private final KeyedTable table;
    private final List<Written> files = new ArrayList<>();
    private final Map<String, List<Long>> deleted = new HashMap<>();

    Table(KeyShape shape, Random random, Path home) throws IOException {
      this.shape = shape;
      this.random = random;
      this.home = home;
      this.engine = List.copyOf(EnumSet.allOf(Engine.class)).get(random.nextInt(3));
      this.lookup = random.nextInt(3) == 0;
      this.userSequence = engine != Engine.GROUP && random.nextInt(3) == 0;
      Map<String, String> options = new HashMap<>(engine.options);
      options.put("bucket", "1");
      if (lookup) {
        options.put("changelog-producer", "lookup");
      }
      if (userSequence) {
        options.put("sequence.field", "o");
      }
      int rowGroupRows = 20 + random.nextInt(120);
      int pageRows = 5 + random.nextInt(40);
      this.table =
          new KeyedTable(
              Files.createDirectories(home.resolve("bucket-0")),
              shape,
              options,
              builder ->
                  builder
                      .withRowGroupRowCountLimit(rowGroupRows)
                      .withPageRowCountLimit(pageRows)
                      .withMinRowCountForPageSizeCheck(pageRows));
    }

    void check() throws IOException {
      boolean shuffled = random.nextBoolean();
      int runs = 1 + random.nextInt(5);
      for (int run = 0; run < runs; run++) {
        int level = run == 0 ? 5 : run == 1 && random.nextBoolean() ? 4 : 0;
        writeRun(run, level, shuffled);
      }
      Map<List<Object>, List<Place>> versions = versions();
      boolean located = random.nextInt(3) == 0;
      List<ReadColumn> columns = columns(located);
      List<Split> splits = splits();
      List<String> expected = new ArrayList<>();
      versions.forEach((key, places) -> addExpected(key, places, located, expected));
      assertThat(read(columns, null, splits))
          .containsExactlyInAnyOrderElementsOf(projected(columns, expected));

      DataField first = table.schema().rowType().field(0);
      Object bound = shape.random(random, KEY_SPACE).get(0);
      Predicate onKey =
          new Predicate.Leaf(first, Predicate.Operator.GREATER_OR_EQUAL, List.of(bound));
      DataField number = table.schema().rowType().fieldById(KeyedTable.NUMBER_ID).orElseThrow();
      Predicate onValue =
          new Predicate.Leaf(number, Predicate.Operator.GREATER_OR_EQUAL, List.of(500L));
      List<ReadColumn> all = new ArrayList<>();
      table.schema().fields().forEach(field -> all.add(new TableColumn(field)));
      assertThat(matching(bound, read(all, new Predicate.And(List.of(onKey, onValue)), splits)))
          .containsExactlyInAnyOrderElementsOf(matching(bound, plain(versions)));
    }

    private List<String> plain(Map<List<Object>, List<Place>> versions) {
      List<String> rows = new ArrayList<>();
      versions.forEach((key, places) -> addExpected(key, places, false, rows));
      return rows;
    }

    /** The rows that satisfy both conditions. */
    private static List<String> matching(Object bound, List<String> rows) {
      return rows.stream()
          .filter(
              row -> {
                String key = row.substring(1, row.indexOf(']')).split(", ", -1)[0];
                String number = row.substring(row.indexOf(']') + 2).split(" ", -1)[0];
                return compare(key, bound) >= 0
                    && !number.equals("null")
                    && Long.parseLong(number) >= 500;
              })
          .toList();
    }

    private static int compare(String key, Object bound) {
      if (bound instanceof Number number) {
        return Double.compare(Double.parseDouble(key), number.doubleValue());
      }
      return key.compareTo(bound.toString());
    }

    private void writeRun(int run, int level, boolean shuffled) throws IOException {
      Map<List<Object>, Version> rows = new LinkedHashMap<>();
      int size = 1 + random.nextInt(run == 0 ? KEY_SPACE : KEY_SPACE / 3);
      for (int i = 0; i < size; i++) {
        List<Object> key = shape.random(random, KEY_SPACE);
        long sequence = shuffled ? random.nextInt(60) : run * 10_000L + rows.size();
        rows.put(key, version(key, sequence));
      }
      Written whole = table.write(level, List.copyOf(rows.values()));
      if (level > 0 && rows.size() > 10 && random.nextBoolean()) {
        int middle = 1 + random.nextInt(rows.size() - 1);
        add(table.write(level, whole.rows().subList(0, middle)));
        add(table.write(level, whole.rows().subList(middle, rows.size())));
      } else {
        add(whole);
      }
    }

    private Version version(List<Object> key, long sequence) {
      ChangeKind kind = ChangeKind.ofCode((byte) (random.nextInt(6) == 0 ? 3 : 0));
      String text = random.nextInt(4) == 0 ? null : "t" + random.nextInt(20);
      Integer order = random.nextInt(4) == 0 ? null : random.nextInt(5);
      return new Version(key, sequence, kind, random.nextInt(1000), text, order);
    }

    private void add(Written file) {
      files.add(file);
      List<Long> positions = new ArrayList<>();
      if (random.nextInt(3) == 0) {
        for (long position = 0; position < file.rows().size(); position++) {
          if (random.nextInt(6) == 0) {
            positions.add(position);
          }
        }
      }
      deleted.put(file.path(), positions);
    }

    private Map<List<Object>, List<Place>> versions() {
      Map<List<Object>, List<Place>> versions = new LinkedHashMap<>();
      Levels levels =
          Levels.of(
              files.stream().map(Written::file).toList(),
              KeyComparator.of(table.schema().keyType()));
      for (int rank = 0; rank < levels.runs().size(); rank++) {
        SortedRun run = levels.runs().get(rank);
        for (DataFile member : run.files()) {
          Written file =
              files.stream().filter(f -> f.file().equals(member)).findFirst().orElseThrow();
          for (int i = 0; i < file.rows().size(); i++) {
            Version row = file.rows().get(i);
            boolean dropped = engine == Engine.PARTIAL && row.kind().isRetract();
            if (!dropped && !deleted.get(file.path()).contains((long) i)) {
              versions
                  .computeIfAbsent(row.key(), key -> new ArrayList<>())
                  .add(new Place(row, file.path(), i, run.level(), rank));
            }
          }
        }
      }
      return versions;
    }

    private void addExpected(
        List<Object> key, List<Place> places, boolean located, List<String> expected) {
      List<Place> counted = new ArrayList<>(places);
      if (lookup) {
        int lowest = places.stream().mapToInt(Place::level).filter(l -> l > 0).min().orElse(0);
        counted.removeIf(place -> place.level() > lowest);
      }
      Comparator<Integer> byOrder = Comparator.nullsFirst(Comparator.naturalOrder());
      counted.sort(
          Comparator.comparing((Place place) -> userSequence ? place.row().order() : null, byOrder)
              .thenComparingLong(place -> place.row().sequence())
              .thenComparing(Comparator.comparingInt(Place::rank).reversed()));
      Place newest = counted.get(counted.size() - 1);
      State state = new State();
      if (counted.size() == 1) {
        state.added = !newest.row().kind().isRetract();
        take(state, newest.row());
      } else {
        counted.forEach(place -> fold(state, place.row(), place.equals(counted.get(0))));
      }
      if (state.added) {
        expected.add(
            key
                + " "
                + state.shown()
                + (located ? " " + newest.file() + " " + newest.position() : ""));
      }
    }

    private static void take(State state, Version row) {
      state.number = row.number();
      state.text = row.text();
      state.order = row.order();
    }

    private void fold(State state, Version row, boolean first) {
      boolean retract = row.kind().isRetract();
      switch (engine) {
        case SUM -> {
          long signed = retract ? -row.number() : row.number();
          state.number = state.number == null ? signed : state.number + signed;
          state.text = row.text() == null ? state.text : retract ? null : row.text();
          boolean keeps = !userSequence && row.order() == null;
          state.order = keeps ? state.order : retract ? null : row.order();
          state.added = true;
        }
        case PARTIAL -> {
          state.number = row.number();
          state.text = row.text() == null ? state.text : row.text();
          state.order = row.order() == null ? state.order : row.order();
          state.added = true;
        }
        case GROUP -> {
          if (retract && first) {
            take(state, row);
          }
          if (!retract) {
            state.number = row.number();
            state.added = true;
          }
          if (row.order() != null && (state.order == null || row.order() >= state.order)) {
            state.order = row.order();
            state.text = retract ? null : row.text();
          }
        }
      }
    }

    private List<Split> splits() throws IOException {
      Map<String, IndexedVector> vectors = new HashMap<>();
      for (Written file : files) {
        long[] positions = deleted.get(file.path()).stream().mapToLong(Long::longValue).toArray();
        if (positions.length > 0) {
          StoredVector stored = table.delete(file, positions);
          vectors.put(file.file().name(), new IndexedVector(stored.path(), stored.ref()));
        }
      }
      TableOptions options = TableOptions.of(table.schema());
      FileAddresses addresses =
          FileAddresses.of(
              TableLayout.of(new Location("file:" + home)), table.schema(), options.fileLayout());
      BucketFiles bucket =
          new BucketFiles(
              BinaryRow.EMPTY,
              0,
              1,
              files.stream().map(Written::file).toList(),
              vectors,
              List.of(),
              Set.of());
      return new SplitPlanner(table.schema(), options, addresses)
          .plan(List.of(bucket), new SplitSize(1 + random.nextInt(20_000), 0)).tasks().stream()
              .flatMap(List::stream)
              .toList();
    }

    private List<ReadColumn> columns(boolean located) {
      List<ReadColumn> columns = new ArrayList<>();
      boolean all = random.nextBoolean();
      for (DataField field : table.schema().fields()) {
        if (all || field.id() < KeyedTable.NUMBER_ID || random.nextInt(3) == 0) {
          columns.add(new TableColumn(field));
        }
      }
      if (located) {
        columns.add(MetadataColumn.FILE);
        columns.add(MetadataColumn.POSITION);
      }
      return columns;
    }

    /** Rows of all columns with those left out that are not read. */
    private List<String> projected(List<ReadColumn> columns, List<String> rows) {
      List<Integer> places = new ArrayList<>();
      for (ReadColumn column : columns) {
        if (column instanceof TableColumn known && known.field().id() >= KeyedTable.NUMBER_ID) {
          places.add(known.field().id() - KeyedTable.NUMBER_ID);
        } else if (column instanceof MetadataColumn) {
          places.add(column == MetadataColumn.FILE ? 3 : 4);
        }
      }
      return rows.stream()
          .map(
              row -> {
                String[] values = row.substring(row.indexOf(']') + 2).split(" ", -1);
                StringBuilder kept = new StringBuilder(row.substring(0, row.indexOf(']') + 1));
                places.forEach(place -> kept.append(' ').append(values[place]));
                return kept.toString();
              })
          .toList();
    }

    private List<String> read(
        List<ReadColumn> columns, @Nullable Predicate predicate, List<Split> splits)
        throws IOException {
      StructType output = new StructType();
      for (ReadColumn column : columns) {
        if (column instanceof TableColumn known) {
          DataField field = known.field();
          output = output.add(field.name(), SparkTypes.toSpark(field.name(), field.type()), true);
        } else {
          boolean file = column == MetadataColumn.FILE;
          output = output.add(file ? "f" : "p", file ? DataTypes.StringType : DataTypes.LongType);
        }
      }
      ReadSpec spec =
          new ReadSpec(
              table.schema(),
              columns,
              output,
              Map.of(0L, table.schema()),
              predicate,
              Map.of(),
              1 + random.nextInt(200),
              random.nextBoolean() ? VectorMemory.ON_HEAP : VectorMemory.OFF_HEAP);
      ReadMetrics metrics = new ReadMetrics();
      List<String> rows = new ArrayList<>();
      try (BatchReader reader =
          SplitReaders.open(spec, splits, new Configuration(false), metrics)) {
        while (reader.next()) {
          assertThat(reader.batch().numRows()).isPositive();
          for (int row = 0; row < reader.batch().numRows(); row++) {
            rows.add(show((ColumnarBatchRow) reader.batch().getRow(row), output));
          }
        }
      }
      assertThat(metrics.foldSplits())
          .isEqualTo(splits.stream().filter(FoldSplit.class::isInstance).count());
      return rows;
    }

    private static String show(ColumnarBatchRow row, StructType type) {
      List<String> keys = new ArrayList<>();
      StringBuilder values = new StringBuilder();
      for (int i = 0; i < type.size(); i++) {
        Object value = row.isNullAt(i) ? null : row.get(i, type.fields()[i].dataType());
        if (type.fields()[i].name().startsWith("k")) {
          keys.add(String.valueOf(value));
        } else {
          values.append(' ').append(value);
        }
      }
      return keys.toString() + values;
    }
  }
}
