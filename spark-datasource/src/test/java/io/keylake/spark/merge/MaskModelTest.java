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

import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.KeyedTable.Written;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.Probe;
import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random tables of several runs: what masked scans return equals a naive merge in memory. The seed
 * is printed; {@code -Dkeylake.test.seed=N} repeats a run.
 */
final class MaskModelTest {
  private static final int TABLES_PER_SHAPE = 4;
  private static final int KEY_SPACE = 400;

  @TempDir private Path folder;

  /** A run: its rows by file, and the deletion vectors of the files. */
  private record Run(int rank, List<Written> files, List<List<Long>> deleted) {}

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void maskedScansEqualNaiveMerge(KeyShape shape) throws IOException {
    long seed = Long.getLong("keylake.test.seed", 14);
    for (int table = 0; table < TABLES_PER_SHAPE; table++) {
      long tableSeed = seed + table;
      try {
        check(shape, new Random(tableSeed), folder.resolve(Integer.toString(table)));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("-Dkeylake.test.seed=" + tableSeed + " " + shape, e);
      }
    }
  }

  private void check(KeyShape shape, Random random, Path home) throws IOException {
    boolean sequenceField = random.nextInt(4) == 0;
    boolean descending = sequenceField && random.nextBoolean();
    Map<String, String> options = new HashMap<>();
    if (sequenceField) {
      options.put("sequence.field", "o");
      options.put("sequence.field.sort-order", descending ? "descending" : "ascending");
    }
    boolean ignoreDelete = random.nextInt(4) == 0;
    options.put("ignore-delete", Boolean.toString(ignoreDelete));
    KeyedTable table =
        new KeyedTable(Files.createDirectory(home), shape, options, settings(random));
    boolean shuffled = sequenceField || random.nextBoolean();
    List<Run> runs = runs(table, shape, random, shuffled);
    List<String> expected =
        naive(runs, sequenceField, descending, ignoreDelete).stream()
            .map(Version::shown)
            .sorted()
            .toList();
    List<ReadColumn> columns = columns(table, random);
    List<String> seen = read(table, columns, null, random, split(table, runs, shuffled, random));
    if (columns.size() == table.schema().fields().size()) {
      assertSame(seen, expected);
    }
    assertThat(seen.size()).isEqualTo(expected.size());
    checkFilter(table, runs, shuffled, random, expected);
  }

  /** A filter on a value column skips row groups and pages of scanned files only. */
  private void checkFilter(
      KeyedTable table, List<Run> runs, boolean shuffled, Random random, List<String> expected)
      throws IOException {
    long bound = random.nextInt(1000);
    DataField number = table.schema().rowType().fieldById(KeyedTable.NUMBER_ID).orElseThrow();
    Predicate filter =
        new Predicate.Leaf(number, Predicate.Operator.GREATER_OR_EQUAL, List.of(bound));
    List<ReadColumn> columns = new ArrayList<>();
    table.schema().fields().forEach(field -> columns.add(new TableColumn(field)));
    List<String> seen =
        read(table, columns, filter, random, split(table, runs, shuffled, random)).stream()
            .filter(row -> numberOf(row) >= bound)
            .toList();
    assertSame(seen, expected.stream().filter(row -> numberOf(row) >= bound).toList());
  }

  private static void assertSame(List<String> seen, List<String> expected) {
    List<String> extra = new ArrayList<>(seen);
    expected.forEach(extra::remove);
    List<String> missing = new ArrayList<>(expected);
    seen.forEach(missing::remove);
    assertThat(extra).as("rows too many").isEmpty();
    assertThat(missing).as("rows too few").isEmpty();
  }

  private static long numberOf(String shown) {
    String tail = shown.substring(shown.indexOf(']') + 2);
    return Long.parseLong(tail.substring(0, tail.indexOf(' ')));
  }

  private static UnaryOperator<ExampleParquetWriter.Builder> settings(Random random) {
    int rowGroupRows = 20 + random.nextInt(120);
    int pageRows = 5 + random.nextInt(40);
    boolean dictionary = random.nextBoolean();
    ParquetProperties.WriterVersion version =
        random.nextBoolean()
            ? ParquetProperties.WriterVersion.PARQUET_1_0
            : ParquetProperties.WriterVersion.PARQUET_2_0;
    return builder ->
        builder
            .withRowGroupRowCountLimit(rowGroupRows)
            .withPageRowCountLimit(pageRows)
            .withMinRowCountForPageSizeCheck(pageRows)
            .withDictionaryEncoding(dictionary)
            .withWriterVersion(version);
  }

  private static List<ReadColumn> columns(KeyedTable table, Random random) {
    List<ReadColumn> columns = new ArrayList<>();
    boolean all = random.nextInt(3) > 0;
    for (DataField field : table.schema().fields()) {
      if (all || random.nextInt(3) == 0) {
        columns.add(new TableColumn(field));
      }
    }
    return columns;
  }

  private List<Run> runs(KeyedTable table, KeyShape shape, Random random, boolean shuffled)
      throws IOException {
    List<Run> runs = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int rank = 0; rank < count; rank++) {
      Map<List<Object>, Version> rows = new LinkedHashMap<>();
      int size = 1 + random.nextInt(rank == count - 1 ? KEY_SPACE : KEY_SPACE / 3);
      for (int i = 0; i < size; i++) {
        List<Object> key = shape.random(random, KEY_SPACE);
        long sequence =
            shuffled ? random.nextInt(60) : (long) (count - rank) * 10_000 + rows.size();
        rows.put(key, version(key, sequence, random));
      }
      runs.add(files(table, rank, List.copyOf(rows.values()), random));
    }
    return runs;
  }

  private static Version version(List<Object> key, long sequence, Random random) {
    ChangeKind kind = ChangeKind.ofCode((byte) (random.nextInt(5) == 0 ? 3 : 0));
    String text = random.nextInt(6) == 0 ? null : "t" + random.nextInt(20);
    Integer order = random.nextInt(4) == 0 ? null : random.nextInt(5);
    return new Version(key, sequence, kind, random.nextInt(1000), text, order);
  }

  /** Writes a run as one or two files, with deletion vectors now and then. */
  private Run files(KeyedTable table, int rank, List<Version> rows, Random random)
      throws IOException {
    List<Written> files = new ArrayList<>();
    Written whole = table.write(rank, rows);
    if (rows.size() > 10 && random.nextBoolean()) {
      int middle = 1 + random.nextInt(rows.size() - 1);
      files.add(table.write(rank, whole.rows().subList(0, middle)));
      files.add(table.write(rank, whole.rows().subList(middle, rows.size())));
    } else {
      files.add(whole);
    }
    List<List<Long>> deleted = new ArrayList<>();
    for (Written file : files) {
      List<Long> positions = new ArrayList<>();
      if (random.nextInt(3) == 0) {
        for (long position = 0; position < file.rows().size(); position++) {
          if (random.nextInt(6) == 0) {
            positions.add(position);
          }
        }
      }
      deleted.add(positions);
    }
    return new Run(rank, files, deleted);
  }

  private static List<Version> naive(
      List<Run> runs, boolean sequenceField, boolean descending, boolean ignoreDelete) {
    Comparator<Integer> byValue = Comparator.naturalOrder();
    Comparator<Integer> byOrder = Comparator.nullsFirst(descending ? byValue.reversed() : byValue);
    Map<List<Object>, Version> newest = new HashMap<>();
    for (int rank = runs.size() - 1; rank >= 0; rank--) {
      Run run = runs.get(rank);
      for (int f = 0; f < run.files().size(); f++) {
        for (int position = 0; position < run.files().get(f).rows().size(); position++) {
          Version row = run.files().get(f).rows().get(position);
          boolean skipped =
              run.deleted().get(f).contains((long) position)
                  || (ignoreDelete && row.kind().isRetract());
          Version other = newest.get(row.key());
          if (skipped) {
            continue;
          }
          int order = other == null ? 1 : 0;
          if (order == 0 && sequenceField) {
            order = byOrder.compare(row.order(), other.order());
          }
          if (order == 0) {
            order = Long.compare(row.sequence(), other.sequence());
          }
          // Runs come from old to new, so the later one wins a tie.
          if (order >= 0) {
            newest.put(row.key(), row);
          }
        }
      }
    }
    return newest.values().stream().filter(row -> !row.kind().isRetract()).toList();
  }

  private static MergeSplit split(KeyedTable table, List<Run> runs, boolean shuffled, Random random)
      throws IOException {
    Map<String, StoredVector> vectors = new HashMap<>();
    for (Run run : runs) {
      for (int f = 0; f < run.files().size(); f++) {
        if (!run.deleted().get(f).isEmpty()) {
          long[] positions = run.deleted().get(f).stream().mapToLong(Long::longValue).toArray();
          Written file = run.files().get(f);
          vectors.put(file.path(), table.delete(file, positions));
        }
      }
    }
    List<ScanUnit> units = new ArrayList<>();
    for (Run run : runs) {
      for (Written file : run.files()) {
        List<Probe> probes = new ArrayList<>();
        for (Run other : runs) {
          if (other.rank() != run.rank() && (shuffled || other.rank() < run.rank())) {
            for (Written probe : other.files()) {
              probes.add(
                  new Probe(
                      probe.path(),
                      probe.file(),
                      other.rank(),
                      shuffled,
                      vectors.get(probe.path())));
            }
          }
        }
        long size = file.file().size();
        long cut = random.nextBoolean() ? size : 1 + random.nextLong(size);
        units.add(unit(file, run, 0, cut, vectors, probes));
        if (cut < size) {
          units.add(unit(file, run, cut, size - cut, vectors, probes));
        }
      }
    }
    return new MergeSplit(BinaryRow.EMPTY, 0, units);
  }

  private static ScanUnit unit(
      Written file,
      Run run,
      long start,
      long length,
      Map<String, StoredVector> vectors,
      List<Probe> probes) {
    return new ScanUnit(
        file.path(), file.file(), start, length, run.rank(), vectors.get(file.path()), probes);
  }

  private static List<String> read(
      KeyedTable table,
      List<ReadColumn> columns,
      Predicate predicate,
      Random random,
      MergeSplit split)
      throws IOException {
    StructType output = new StructType();
    for (ReadColumn column : columns) {
      DataField field = ((TableColumn) column).field();
      output = output.add(field.name(), SparkTypes.toSpark(field.name(), field.type()), true);
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
    List<String> rows = new ArrayList<>();
    try (BatchReader reader =
        SplitReaders.open(spec, List.of(split), new Configuration(false), new ReadMetrics())) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        assertThat(batch.numRows()).isPositive();
        for (int row = 0; row < batch.numRows(); row++) {
          rows.add(show(batch, row, output));
        }
      }
    }
    return rows.stream().sorted().toList();
  }

  /** As {@link Version#shown} when all columns are there. */
  private static String show(ColumnarBatch batch, int row, StructType type) {
    List<String> keys = new ArrayList<>();
    List<String> values = new ArrayList<>();
    ColumnarBatchRow current = (ColumnarBatchRow) batch.getRow(row);
    for (int i = 0; i < type.size(); i++) {
      Object value = current.isNullAt(i) ? null : current.get(i, type.fields()[i].dataType());
      (type.fields()[i].name().startsWith("k") ? keys : values).add(String.valueOf(value));
    }
    return keys + " " + String.join(" ", values);
  }
}
