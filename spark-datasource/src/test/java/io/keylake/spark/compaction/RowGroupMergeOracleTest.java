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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataTypes;
import org.apache.parquet.hadoop.ParquetFileReader;
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

  /** With deletion vectors the reference does not show level 0, unless it ignores them. */
  private static final Map<String, String> WITH_LEVEL_ZERO =
      Map.of("deletion-vectors.enabled", "false", "deletion-vectors.modifiable", "true");

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

  private void create(String key, Map<String, String> options) throws Exception {
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

  /** Rows and bytes of each row group of the live files of our compactions. */
  private Set<String> rowGroups(List<StepResult> results) throws Exception {
    List<String> groups = new ArrayList<>();
    for (StepResult result : results) {
      for (DataFile file : result.added()) {
        try (Stream<Path> found = Files.walk(folder)) {
          Path path =
              found.filter(p -> p.getFileName().toString().equals(file.name())).findFirst().get();
          try (ParquetFileReader reader =
              ParquetFileReader.open(
                  HadoopInputFile.fromPath(
                      new org.apache.hadoop.fs.Path(path.toString()), new Configuration()))) {
            reader
                .getRowGroups()
                .forEach(group -> groups.add(group.getRowCount() + "/" + group.getTotalByteSize()));
          }
        }
      }
    }
    return groups.stream().collect(Collectors.toSet());
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
    create(key, options(option, value));
    table.write(all(key, random));
    FullCompaction compaction =
        FullCompaction.of(folder).withOptions(Map.of("compaction.force-rewrite-all-files", "true"));
    Set<String> groups = rowGroups(compaction.run());
    assertThat(groups).as("seed %d", seed).hasSizeGreaterThan(3);
    for (int round = 0; round < 3; round++) {
      table.write(some(key, random));
      if (random.nextBoolean()) {
        table.write(some(key, random));
      }
      List<String> before = table.rows(WITH_LEVEL_ZERO);

      Set<String> merged = rowGroups(compaction.run());

      assertThat(merged).as("seed %d, round %d", seed, round).containsAnyElementsOf(groups);
      assertThat(table.rows()).as("seed %d, round %d", seed, round).isEqualTo(before);
      groups = merged;
    }
    assertThat(table.problems()).as("seed %d", seed).isEmpty();
  }

  @Test
  void rowGroupsThatInterleaveAreMerged() throws Exception {
    Random random = new Random(7);
    create("number", options());
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
    create("number", options("record-level.expire-time", "1 d", "record-level.time-field", "b"));
    Random random = new Random(8);
    table.write(all("number", random));
    table.write(List.of(row("number", 3, "+I", random)));

    FullCompaction.of(folder).run();

    assertThat(table.rows()).isEmpty();
    assertThat(table.problems()).isEmpty();
  }
}
