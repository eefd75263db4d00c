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
import io.keylake.reference.ReferenceTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs of a primary-key table are merged while row groups whose keys no other run holds are copied:
 * the reference implementation reads the same rows, and finds keys, statistics and order right.
 */
class RowGroupMergeOracleTest {
  private static final String DATABASE = "lake";
  private static final int KEYS = 4000;

  @TempDir Path warehouse;

  private Path folder;
  private ReferenceTable table;

  @BeforeEach
  void nameTable() throws Exception {
    folder = Files.createDirectories(warehouse.resolve(DATABASE + ".db")).resolve("t");
    table = ReferenceTable.of(warehouse.toString(), DATABASE, "t");
  }

  private static Map<String, String> options(String... more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "bucket", "1",
                "write-only", "true",
                "parquet.block.size", "20000",
                "parquet.page.size", "4000"));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private static void create(ReferenceTable table, String key, Map<String, String> options)
      throws Exception {
    table.create(
        Schema.newBuilder()
            .column("a", key.equals("number") ? DataTypes.BIGINT() : DataTypes.STRING())
            .column("b", DataTypes.INT().notNull())
            .column("v", DataTypes.STRING())
            .column("d", DataTypes.DOUBLE())
            .primaryKey(key.equals("pair") ? new String[] {"a", "b"} : new String[] {"a"})
            .options(options)
            .build());
  }

  private static String row(String key, int id, String kind, Random random) {
    String a =
        switch (key) {
          case "number" -> String.valueOf(id * 3L - 5000);
          case "pair" -> "\"tenant " + (char) ('a' + id / 1500) + "\"";
          default -> String.format("\"%06d, a rather long key\"", id * 7);
        };
    return String.format(
        "{\"_kind\":\"%s\",\"a\":%s,\"b\":%d,\"v\":\"text %d\",\"d\":%s}",
        kind,
        a,
        id,
        random.nextInt(1_000_000),
        random.nextInt(500) == 0 ? "\"NaN\"" : random.nextDouble());
  }

  private static List<String> all(String key, Random random) {
    List<String> rows = new ArrayList<>();
    for (int id = 0; id < KEYS; id++) {
      rows.add(row(key, id * 2, "+I", random));
    }
    return rows;
  }

  /** Changes of keys in a few narrow places. */
  private static List<String> some(String key, Random random) {
    Map<Integer, String> rows = new TreeMap<>();
    for (int place = 0; place < 3; place++) {
      int from = random.nextInt(2 * KEYS + 100) - 50;
      for (int i = 0; i < 1 + random.nextInt(20); i++) {
        int id = Math.max(0, from + random.nextInt(40));
        rows.put(id, row(key, id, random.nextInt(4) == 0 ? "-D" : "+U", random));
      }
    }
    return List.copyOf(rows.values());
  }

  /** Whether row groups were copied: the reference writes sequence numbers without deltas. */
  private List<Boolean> copied(List<StepResult> results) throws Exception {
    List<Boolean> copied = new ArrayList<>();
    for (StepResult result : results) {
      for (DataFile file : result.added()) {
        Path path = folder.resolve("bucket-0").resolve(file.name());
        try (ParquetFileReader reader =
            ParquetFileReader.open(
                HadoopInputFile.fromPath(
                    new org.apache.hadoop.fs.Path(path.toString()), new Configuration()))) {
          reader.getRowGroups().forEach(group -> copied.add(isFromReference(group)));
        }
      }
    }
    return copied;
  }

  private static boolean isFromReference(BlockMetaData group) {
    return group.getColumns().stream()
        .filter(chunk -> chunk.getPath().toDotString().equals("_SEQUENCE_NUMBER"))
        .noneMatch(chunk -> chunk.getEncodings().contains(Encoding.DELTA_BINARY_PACKED));
  }

  @ParameterizedTest
  @CsvSource({
    "number, 1, parquet.page.size, 4000",
    "text, 2, parquet.page.size, 4000",
    "pair, 3, parquet.page.size, 4000",
    "number, 4, data-file.thin-mode, true",
    "pair, 5, deletion-vectors.enabled, true",
    "text, 6, target-file-size, 60 kb"
  })
  void rowsOfMergedRunsAreThoseOfTheReference(String key, long seed, String option, String value)
      throws Exception {
    Random random = new Random(seed);
    create(table, key, options(option, value));
    // The reference hides level 0 of tables with deletion vectors.
    ReferenceTable plain = ReferenceTable.of(warehouse.toString(), DATABASE, "plain");
    create(plain, key, options());
    List<String> all = all(key, random);
    table.write(all);
    plain.write(all);
    table.compactFully();
    FullCompaction compaction =
        FullCompaction.of(folder).withOptions(Map.of("compaction.force-rewrite-all-files", "true"));
    for (int round = 0; round < 3; round++) {
      List<String> some = some(key, random);
      table.write(some);
      plain.write(some);

      List<Boolean> copied = copied(compaction.run());

      assertThat(copied).as("seed %d, round %d", seed, round).contains(true, false);
      assertThat(table.rows()).as("seed %d, round %d", seed, round).isEqualTo(plain.rows());
    }
    assertThat(table.problems()).as("seed %d", seed).isEmpty();
  }

  @Test
  void rowGroupsThatInterleaveAreMerged() throws Exception {
    Random random = new Random(7);
    create(table, "number", options());
    List<String> even = new ArrayList<>();
    List<String> odd = new ArrayList<>();
    for (int id = 0; id < 2000; id++) {
      even.add(row("number", id * 2, "+I", random));
      odd.add(row("number", id * 2 + 1, "+I", random));
    }
    table.write(even);
    table.write(odd);
    List<String> before = table.rows();

    FullCompaction.of(folder).run();

    assertThat(table.rows()).hasSize(4000).isEqualTo(before);
    assertThat(table.problems()).isEmpty();
  }

  @Test
  void expiringRowsAreNeverCopied() throws Exception {
    create(
        table,
        "number",
        options("record-level.expire-time", "1 d", "record-level.time-field", "b"));
    Random random = new Random(8);
    table.write(all("number", random));
    table.write(List.of(row("number", 3, "+I", random)));

    FullCompaction.of(folder).run();

    assertThat(table.rows()).isEmpty();
    assertThat(table.problems()).isEmpty();
  }
}
