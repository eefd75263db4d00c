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

package io.keylake.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.sort.PickedBatches.Pick;
import io.keylake.spark.testing.SharedSpark;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs inside Spark tasks, which the sorter needs for memory and local files. */
class SortBufferSparkTest {
  private static JavaSparkContext context;

  @BeforeAll
  static void startSpark() {
    SparkSession spark = SharedSpark.newSession();
    context = new JavaSparkContext(spark.sparkContext());
  }

  /** One output row: group, key, value, sequence number, change kind. */
  private record Out(int group, Object key, int value, long sequence, byte kind)
      implements Serializable {}

  /** One input row. */
  private record In(int group, Object key, Integer rank, int value, byte kind)
      implements Serializable {}

  private static TableSchema schema(DataField key, Map<String, String> options) {
    return TestRows.schema(
        List.of(DataField.of(0, "v", DataTypes.INT), key, DataField.of(2, "rank", DataTypes.INT)),
        List.of(),
        List.of(key.name()),
        options);
  }

  /** What a test does inside a task. */
  private interface Job extends Serializable {
    List<Out> run(TaskContext task) throws IOException;
  }

  private static List<Out> inTask(Job job) {
    return context
        .parallelize(List.of(1), 1)
        .mapPartitions(
            ignored -> {
              try {
                return job.run(TaskContext.get()).iterator();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .collect();
  }

  private static List<Out> sort(
      TaskContext task, TableSchema schema, List<In> rows, SpillingSortBuffer buffer, Pick pick)
      throws IOException {
    List<UnsafeRow> unsafe =
        TestRows.unsafe(
            schema.fields(),
            rows.stream().map(row -> RowFactory.create(row.value, row.key, row.rank)).toList());
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    List<Out> result = new ArrayList<>();
    try (buffer) {
      for (int i = 0; i < rows.size(); i++) {
        buffer.insert(unsafe.get(i), rows.get(i).group, rows.get(i).kind, i);
      }
      SortedBatches batches =
          new PickedBatches(buffer.sort(), order, pick, group -> 1_000_000L * group);
      RowBatch batch = new RowBatch();
      UnsafeRow view = new UnsafeRow(schema.fields().size());
      while (batches.next(batch)) {
        for (int i = 0; i < batch.size(); i++) {
          batch.view(i, view);
          Object key =
              schema.hasPrimaryKey() ? key(schema.fields().get(1), view) : Integer.valueOf(0);
          result.add(
              new Out(
                  batches.group(), key, view.getInt(0), batch.sequenceNumber(i), batch.kind(i)));
        }
      }
    }
    assertThat(task.taskMemoryManager().getMemoryConsumptionForThisTask()).isZero();
    return result;
  }

  private static Object key(DataField field, UnsafeRow row) {
    return switch (field.type().root()) {
      case BIGINT -> row.getLong(1);
      case DOUBLE -> row.getDouble(1);
      case VARCHAR -> row.getUTF8String(1).toString();
      case DECIMAL -> row.getDecimal(1, 30, 2).toJavaBigDecimal();
      default -> throw new IllegalArgumentException(field.toString());
    };
  }

  /** What the fold must give: by group and key the last row, in order. */
  private static List<Out> expected(List<In> rows, Comparator<Object> keyOrder) {
    Map<Integer, Map<Object, Out>> groups = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      In row = rows.get(i);
      groups
          .computeIfAbsent(row.group, g -> new TreeMap<>(keyOrder))
          .put(
              row.key,
              new Out(row.group, row.key, row.value, 1_000_000L * row.group + i, row.kind));
    }
    return groups.values().stream().flatMap(group -> group.values().stream()).toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Comparator<Object> natural() {
    return (Comparator<Object>) (Comparator) Comparator.naturalOrder();
  }

  private static List<In> rows(int count, int groups, Function<Random, Object> keys) {
    Random random = new Random(11);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new In(
                    random.nextInt(groups),
                    keys.apply(random),
                    null,
                    i,
                    (byte) (i % 9 == 0 ? 3 : 0)))
        .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
  }

  private static void assertLastWins(DataField key, List<In> rows) {
    TableSchema schema = schema(key, Map.of());
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    List<Out> result =
        inTask(
            task ->
                sort(
                    task,
                    schema,
                    rows,
                    SpillingSortBuffer.ofManyGroups(order, task),
                    Pick.LAST_OF_KEY));
    assertThat(result).isEqualTo(expected(rows, natural()));
  }

  private static final DataField LONG_KEY = DataField.of(1, "k", DataTypes.BIGINT.asNotNull());

  @Test
  void theLastRowOfAnIntegerKeyWins() {
    assertLastWins(LONG_KEY, rows(20_000, 7, random -> (long) random.nextInt(3000) - 1500));
  }

  @Test
  void integersFarOutsideTheSampledRangeAreStillInOrder() {
    List<In> rows = rows(6000, 3, random -> (long) random.nextInt(1000));
    rows.addAll(rows(3000, 3, Random::nextLong));
    assertLastWins(LONG_KEY, rows);
  }

  @Test
  void integersOfFullRangeAreInOrder() {
    assertLastWins(LONG_KEY, rows(5000, 2, Random::nextLong));
  }

  @Test
  void textKeysAreInByteOrderWhateverPrefixTheyShare() {
    DataField key = DataField.of(1, "k", DataTypes.STRING.asNotNull());
    List<In> rows = rows(5000, 3, random -> "customer-" + random.nextInt(2000));
    rows.addAll(rows(500, 3, random -> "custom" + (char) ('0' + random.nextInt(70))));
    rows.addAll(rows(500, 3, random -> "z" + random.nextInt(100)));
    rows.addAll(rows(50, 3, random -> ""));
    assertLastWins(key, rows);
  }

  @Test
  void longDecimalsAreInNumericOrder() {
    DataField key = DataField.of(1, "k", DataTypes.decimal(30, 2).asNotNull());
    assertLastWins(
        key,
        rows(
            3000,
            2,
            random ->
                new BigDecimal(random.nextInt(500) - 250)
                    .multiply(new BigDecimal("98765432109876543210"))
                    .setScale(2)));
  }

  @Test
  void floatingPointKeysAreInNumericOrderWithNanLast() {
    DataField key = DataField.of(1, "k", DataTypes.DOUBLE.asNotNull());
    List<In> rows = rows(3000, 2, Random::nextGaussian);
    rows.add(new In(0, Double.NaN, null, 1, (byte) 0));
    rows.add(new In(0, Double.NEGATIVE_INFINITY, null, 2, (byte) 0));
    assertLastWins(key, rows);
  }

  @Test
  void moreGroupsThanThePrefixHoldsAreKeptApart() {
    List<In> rows =
        IntStream.range(0, 70_000)
            .mapToObj(i -> new In(i, (long) (i % 10), null, i, (byte) 0))
            .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
    rows.addAll(
        rows.subList(65_000, 70_000).stream()
            .map(r -> new In(r.group, r.key, null, -1, r.kind))
            .toList());
    assertLastWins(LONG_KEY, rows);
  }

  @Test
  void theUserSequenceFieldDecidesBeforeArrivalAndNullLoses() {
    List<In> rows =
        List.of(
            new In(0, 1L, 5, 10, (byte) 0),
            new In(0, 1L, 3, 11, (byte) 0),
            new In(0, 1L, null, 12, (byte) 0),
            new In(0, 2L, 4, 13, (byte) 0),
            new In(0, 2L, 4, 14, (byte) 0));
    assertThat(sequenceWinners(rows, "ascending")).containsExactly(10, 14);
    assertThat(sequenceWinners(rows, "descending")).containsExactly(11, 14);
  }

  private static List<Integer> sequenceWinners(List<In> rows, String direction) {
    TableSchema schema =
        schema(LONG_KEY, Map.of("sequence.field", "rank", "sequence.field.sort-order", direction));
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    return inTask(
            task ->
                sort(
                    task,
                    schema,
                    rows,
                    SpillingSortBuffer.ofOneGroup(order, task),
                    Pick.LAST_OF_KEY))
        .stream()
        .map(Out::value)
        .toList();
  }

  @Test
  void appendedRowsKeepTheirOrderInsideAGroup() {
    TableSchema schema =
        TestRows.schema(schema(LONG_KEY, Map.of()).fields(), List.of(), List.of(), Map.of());
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    List<In> rows = rows(10_000, 5, random -> 0L);
    List<Out> result =
        inTask(
            task ->
                sort(task, schema, rows, SpillingSortBuffer.ofManyGroups(order, task), Pick.ALL));
    Map<Integer, Integer> last = new HashMap<>();
    assertThat(result).hasSize(10_000);
    for (Out row : result) {
      assertThat(row.value).isGreaterThan(last.getOrDefault(row.group, -1));
      last.put(row.group, row.value);
    }
    assertThat(result.stream().map(Out::group).distinct().count()).isEqualTo(5);
    assertThat(result).isSortedAccordingTo(Comparator.comparing(Out::group));
  }

  @Test
  void anEmptyBufferHasNoRows() {
    assertLastWins(LONG_KEY, List.of());
  }

  @Test
  void spillsKeepTheOrderAndTheLastRow() {
    TableSchema schema = schema(LONG_KEY, Map.of());
    SortOrder order = SortOrder.of(schema, TableOptions.of(schema).merge());
    List<In> rows = rows(30_000, 4, random -> (long) random.nextInt(2000));
    List<Out> result =
        inTask(
            task -> {
              List<UnsafeRow> unsafe =
                  TestRows.unsafe(
                      schema.fields(),
                      rows.stream()
                          .map(row -> RowFactory.create(row.value, row.key, null))
                          .toList());
              SpillingSortBuffer buffer = SpillingSortBuffer.ofManyGroups(order, task);
              Hog hog = new Hog(task.taskMemoryManager());
              List<Out> out = new ArrayList<>();
              try (buffer) {
                for (int i = 0; i < rows.size(); i++) {
                  buffer.insert(unsafe.get(i), rows.get(i).group, rows.get(i).kind, i);
                  if (i == 2000) {
                    hog.takeAll();
                  }
                }
                SortedBatches batches =
                    new PickedBatches(buffer.sort(), order, Pick.LAST_OF_KEY, g -> 1_000_000L * g);
                assertThat(buffer.spilledBytes()).isPositive();
                RowBatch batch = new RowBatch();
                UnsafeRow view = new UnsafeRow(3);
                while (batches.next(batch)) {
                  for (int i = 0; i < batch.size(); i++) {
                    batch.view(i, view);
                    out.add(
                        new Out(
                            batches.group(),
                            view.getLong(1),
                            view.getInt(0),
                            batch.sequenceNumber(i),
                            batch.kind(i)));
                  }
                }
              } finally {
                hog.release();
              }
              assertThat(task.taskMemoryManager().getMemoryConsumptionForThisTask()).isZero();
              return out;
            });
    assertThat(result).isEqualTo(expected(rows, natural()));
  }

  /** Takes the memory of the task, so that the sorter has to spill. */
  private static final class Hog extends MemoryConsumer {
    private long taken;

    Hog(TaskMemoryManager memory) {
      super(memory, MemoryMode.ON_HEAP);
    }

    void takeAll() {
      long got = acquireMemory(Long.MAX_VALUE / 4);
      taken += got;
    }

    void release() {
      freeMemory(taken);
      taken = 0;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
      return 0;
    }
  }
}
