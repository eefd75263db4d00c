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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.types.DataField;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.KeyedTable.Written;
import io.keylake.spark.merge.ReadColumn.MetadataColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.Probe;
import io.keylake.table.split.RawSplit;
import io.keylake.table.split.ScanUnit;
import io.keylake.table.split.Split;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SplitReadersTest {
  @TempDir private Path folder;
  private final ReadMetrics metrics = new ReadMetrics();

  private KeyedTable table(Map<String, String> options) {
    return new KeyedTable(
        folder,
        KeyShape.LONG,
        options,
        builder ->
            builder
                .withRowGroupRowCountLimit(100)
                .withPageRowCountLimit(10)
                .withMinRowCountForPageSizeCheck(10));
  }

  /** Rows of these keys, all of one sequence number. */
  private static List<Version> rows(long from, long to, long sequence) {
    List<Version> rows = new ArrayList<>();
    for (long key = from; key < to; key++) {
      rows.add(row(key, sequence, ChangeKind.INSERT, null));
    }
    return rows;
  }

  private static Version row(long key, long sequence, ChangeKind kind, @Nullable Integer order) {
    return new Version(List.of(key), sequence, kind, key * 10 + sequence, "s" + sequence, order);
  }

  private static ScanUnit unit(Written file, @Nullable StoredVector vector, Probe... probes) {
    return new ScanUnit(
        file.path(), file.file(), 0, file.file().size(), 1, vector, List.of(probes));
  }

  private static Probe newer(Written file) {
    return new Probe(file.path(), file.file(), 0, false, null);
  }

  private static Split raw(ScanUnit... units) {
    return new RawSplit(BinaryRow.EMPTY, 7, List.of(units));
  }

  private static Split merge(ScanUnit... units) {
    return new MergeSplit(BinaryRow.EMPTY, 7, List.of(units));
  }

  private static ReadColumn column(KeyedTable table, String name) {
    return new TableColumn(table.schema().rowType().field(name).orElseThrow());
  }

  private List<String> read(
      KeyedTable table, @Nullable Predicate predicate, Split split, ReadColumn... columns)
      throws IOException {
    StructType output = new StructType();
    for (ReadColumn column : columns) {
      output = output.add("c" + output.size(), type(column), true);
    }
    ReadSpec spec =
        new ReadSpec(
            table.schema(),
            List.of(columns),
            output,
            Map.of(0L, table.schema()),
            predicate,
            Map.of(),
            64,
            VectorMemory.ON_HEAP);
    List<String> seen = new ArrayList<>();
    try (BatchReader reader =
        SplitReaders.open(spec, List.of(split), new Configuration(false), metrics)) {
      while (reader.next()) {
        for (int row = 0; row < reader.batch().numRows(); row++) {
          List<String> values = new ArrayList<>();
          for (int i = 0; i < columns.length; i++) {
            values.add(
                String.valueOf(reader.batch().getRow(row).get(i, output.fields()[i].dataType())));
          }
          seen.add(String.join(" ", values));
        }
      }
    }
    return seen;
  }

  private static DataType type(ReadColumn column) {
    if (column instanceof TableColumn known) {
      return SparkTypes.toSpark(known.field().name(), known.field().type());
    }
    return switch ((MetadataColumn) column) {
      case FILE -> DataTypes.StringType;
      case POSITION, ROW_ID, SEQUENCE_NUMBER -> DataTypes.LongType;
      case PARTITION -> new StructType();
      case BUCKET -> DataTypes.IntegerType;
    };
  }

  @Test
  void countingRowsOfRawUnitsOpensNoFile() throws IOException {
    KeyedTable table = table(Map.of());
    Written file = table.write(5, rows(0, 250, 1));
    StoredVector vector = table.delete(file, 3, 77);

    assertThat(read(table, null, raw(unit(file, vector)))).hasSize(248);
    assertThat(metrics.filesOpened()).isZero();
  }

  @Test
  void countingRowsOfMergedUnitsReadsTheirKeys() throws IOException {
    KeyedTable table = table(Map.of());
    Written old = table.write(5, rows(0, 250, 1));
    Written young = table.write(0, rows(100, 110, 2));

    assertThat(read(table, null, merge(unit(old, null, newer(young))))).hasSize(240);
    assertThat(metrics.rowsMasked()).isEqualTo(10);
    assertThat(metrics.probesOpened()).isEqualTo(1);
  }

  @Test
  void metadataColumnsSayWhereSurvivorsAre() throws IOException {
    KeyedTable table = table(Map.of());
    Written old = table.write(5, rows(0, 120, 1));
    Written young = table.write(0, rows(1, 119, 2));

    assertThat(
            read(
                table,
                null,
                merge(unit(old, null, newer(young))),
                column(table, "k0"),
                MetadataColumn.POSITION,
                MetadataColumn.BUCKET,
                MetadataColumn.FILE))
        .containsExactly("0 0 7 " + old.path(), "119 119 7 " + old.path());
  }

  @Test
  void positionsAreRightWherePagesAreSkipped() throws IOException {
    KeyedTable table = table(Map.of());
    Written file = table.write(5, rows(0, 500, 1));
    DataField key = table.schema().rowType().field("k0").orElseThrow();
    Predicate predicate =
        new Predicate.Leaf(key, Predicate.Operator.GREATER_OR_EQUAL, List.of(355L));

    List<String> seen =
        read(table, predicate, raw(unit(file, null)), column(table, "k0"), MetadataColumn.POSITION);

    assertThat(seen).contains("355 355", "499 499").hasSizeLessThan(160);
    assertThat(seen).allMatch(row -> row.split(" ")[0].equals(row.split(" ")[1]));
    assertThat(metrics.rowGroupsSkipped()).isEqualTo(3);
  }

  @Test
  void aDeleteHidesOlderRowsAndIsNoRow() throws IOException {
    KeyedTable table = table(Map.of());
    Written old = table.write(5, rows(0, 3, 1));
    Written young = table.write(0, List.of(row(1, 2, ChangeKind.DELETE, null)));

    assertThat(
            read(
                table,
                null,
                merge(unit(young, null), unit(old, null, newer(young))),
                column(table, "k0")))
        .containsExactly("0", "2");
  }

  @Test
  void theSequenceFieldDecidesBeforeTheSequenceNumber() throws IOException {
    KeyedTable table = table(Map.of("sequence.field", "o"));
    Written old = table.write(5, List.of(row(1, 1, ChangeKind.INSERT, 9)));
    Written young = table.write(0, List.of(row(1, 2, ChangeKind.INSERT, 8)));
    Probe oldProbe = new Probe(old.path(), old.file(), 1, true, null);
    Probe youngProbe = new Probe(young.path(), young.file(), 0, true, null);
    ScanUnit youngUnit =
        new ScanUnit(
            young.path(), young.file(), 0, young.file().size(), 0, null, List.of(oldProbe));

    assertThat(read(table, null, merge(youngUnit, unit(old, null, youngProbe)), column(table, "s")))
        .containsExactly("s1");
  }

  @Test
  void theFirstRowOfAKeyHidesLaterOnesAndRetractsHideNothing() throws IOException {
    KeyedTable table = table(Map.of("merge-engine", "first-row"));
    Written above = table.write(5, rows(0, 2, 9));
    Written old =
        table.write(
            0,
            List.of(
                row(1, 2, ChangeKind.INSERT, null),
                row(2, 4, ChangeKind.INSERT, null),
                row(3, 1, ChangeKind.DELETE, null)));
    Written young = table.write(0, rows(1, 5, 3));
    Probe aboveProbe = new Probe(above.path(), above.file(), 2, false, null);
    Probe oldProbe = new Probe(old.path(), old.file(), 1, true, null);
    Probe youngProbe = new Probe(young.path(), young.file(), 0, true, null);

    assertThat(
            read(
                table,
                null,
                merge(
                    unit(above, null),
                    unit(old, null, youngProbe, aboveProbe),
                    unit(young, null, oldProbe, aboveProbe)),
                column(table, "k0"),
                column(table, "s")))
        .containsExactly("0 s9", "1 s9", "2 s3", "3 s3", "4 s3");
  }

  @Test
  void missingAndDamagedFilesAreNamed() throws IOException {
    KeyedTable table = table(Map.of());
    Written missing = table.write(5, rows(0, 3, 1));
    Files.delete(Path.of(missing.path().substring("file:".length())));
    Written damaged = table.write(5, rows(0, 3, 1));
    Files.write(
        Path.of(damaged.path().substring("file:".length())), new byte[(int) damaged.file().size()]);

    assertThatThrownBy(() -> read(table, null, raw(unit(missing, null)), column(table, "k0")))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining(missing.path());
    assertThatThrownBy(() -> read(table, null, raw(unit(damaged, null)), column(table, "k0")))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining(damaged.path());
  }
}
