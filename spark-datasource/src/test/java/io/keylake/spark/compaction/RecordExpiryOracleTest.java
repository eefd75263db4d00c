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

import io.keylake.reference.ReferenceTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which rows a compaction drops by their age, beside the reference implementation. */
class RecordExpiryOracleTest {
  private static final String DATABASE = "lake";
  private final Instant now = Instant.now();
  private final Instant longAgo = now.minus(Duration.ofDays(3));
  private final Instant later = now.plus(Duration.ofDays(3));

  @TempDir Path warehouse;

  private Path database;

  @BeforeEach
  void createDatabase() throws Exception {
    database = Files.createDirectories(warehouse.resolve(DATABASE + ".db"));
  }

  /** A type of the time column and how a time is written. */
  private enum Time {
    INT(DataTypes.INT()),
    SECONDS(DataTypes.BIGINT()),
    MILLIS(DataTypes.BIGINT()),
    TIMESTAMP_3(DataTypes.TIMESTAMP(3)),
    TIMESTAMP_6(DataTypes.TIMESTAMP(6)),
    TIMESTAMP_9(DataTypes.TIMESTAMP(9)),
    LTZ_3(DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3)),
    LTZ_6(DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(6));

    private final DataType type;

    Time(DataType type) {
      this.type = type;
    }

    String json(Instant time) {
      String text =
          DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS")
              .format(LocalDateTime.ofInstant(time, ZoneOffset.UTC).withNano(0));
      return switch (this) {
        case INT, SECONDS -> String.valueOf(time.getEpochSecond());
        case MILLIS -> String.valueOf(time.toEpochMilli());
        case TIMESTAMP_3, TIMESTAMP_6, TIMESTAMP_9 -> "\"" + text + "\"";
        case LTZ_3, LTZ_6 -> "\"" + text + "Z\"";
      };
    }
  }

  private ReferenceTable create(String name, DataType time, Map<String, String> options)
      throws Exception {
    ReferenceTable table = ReferenceTable.of(warehouse.toString(), DATABASE, name);
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "bucket", "1",
                "write-only", "true",
                "record-level.expire-time", "1 h",
                "record-level.time-field", "t"));
    all.putAll(options);
    table.create(
        Schema.newBuilder()
            .column("k", DataTypes.INT())
            .column("t", time)
            .column("v", DataTypes.STRING())
            .primaryKey("k")
            .options(all)
            .build());
    return table;
  }

  private static String row(String kind, int key, String time, String value) {
    return String.format(
        "{\"_kind\":\"%s\",\"k\":%d,\"t\":%s,\"v\":\"%s\"}", kind, key, time, value);
  }

  @ParameterizedTest
  @EnumSource(Time.class)
  void keysWithOneRowExpireAsInTheReference(Time time) throws Exception {
    List<String> rows =
        List.of(
            row("+I", 1, time.json(longAgo), "old"),
            row("+I", 2, time.json(later), "new"),
            row("+I", 3, "null", "no time"),
            row("+I", 4, time.json(Instant.EPOCH), "very old"));
    ReferenceTable ours = create("ours", time.type, Map.of());
    ReferenceTable theirs = create("theirs", time.type, Map.of());
    for (ReferenceTable table : List.of(ours, theirs)) {
      table.write(rows);
      table.write(List.of(row("+I", 5, time.json(now), "now")));
    }

    FullCompaction.of(database.resolve("ours")).run();
    theirs.compactFully();

    assertThat(ours.rows()).hasSize(3).isEqualTo(theirs.rows());
    assertThat(ours.problems()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Versions.class)
  void theNewestRowOfAKeyDecides(Versions versions) throws Exception {
    Time time = Time.SECONDS;
    ReferenceTable table = create("versions", time.type, versions.options);
    table.write(
        List.of(
            row("+I", 1, time.json(later), "first, not expired"),
            row("+I", 2, time.json(longAgo), "first, expired"),
            row("+I", 3, time.json(later), "deleted by a row that has expired"),
            row("+I", 4, time.json(later), "deleted by a row without a time")));
    table.write(
        List.of(
            row("+I", 1, time.json(longAgo), "second, expired"),
            row("+I", 2, time.json(later), "second, not expired"),
            row("-D", 3, time.json(longAgo), ""),
            row("-D", 4, "null", "")));

    FullCompaction.of(database.resolve("versions")).run();

    assertThat(table.rows())
        .singleElement()
        .asString()
        .contains("\"k\":2")
        .contains("second, not expired");
    assertThat(table.problems()).isEmpty();
  }

  private enum Versions {
    PLAIN(Map.of()),
    WITH_DELETION_VECTORS(Map.of("deletion-vectors.enabled", "true"));

    private final Map<String, String> options;

    Versions(Map<String, String> options) {
      this.options = options;
    }
  }

  /** Why we do otherwise: it shows a deleted row and an overwritten one again. */
  @Test
  void theReferenceBringsOlderRowsBack() throws Exception {
    Time time = Time.SECONDS;
    ReferenceTable table = create("reference", time.type, Map.of());
    table.write(
        List.of(
            row("+I", 1, time.json(later), "overwritten"),
            row("+I", 3, time.json(later), "deleted")));
    table.write(
        List.of(row("+I", 1, time.json(longAgo), "expired"), row("-D", 3, time.json(longAgo), "")));

    table.compactFully();

    assertThat(table.rows())
        .hasSize(2)
        .anyMatch(row -> row.contains("overwritten"))
        .anyMatch(row -> row.contains("deleted"));
  }
}
