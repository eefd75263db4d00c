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

package io.keylake.table.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.VectorType;
import io.keylake.table.options.support.OptionChanges;
import io.keylake.table.options.support.ReadSupport;
import io.keylake.table.options.support.WriteSupport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class TableOptionsTest {
  private static TableSchema keyed(Map<String, String> options) {
    return schema(List.of("k"), options);
  }

  private static TableSchema append(Map<String, String> options) {
    return schema(List.of(), options);
  }

  private static TableSchema schema(List<String> keys, Map<String, String> options) {
    return new TableSchema(
        3,
        0,
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "v", DataTypes.STRING),
            DataField.of(2, "dt", DataTypes.STRING)),
        2,
        keys.isEmpty() ? List.of("dt") : List.of(),
        keys,
        options,
        null,
        0,
        UnknownKeys.NONE);
  }

  private static void assertFails(ThrowingCallable call, Condition condition, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(TableException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(condition);
  }

  @Test
  void sizesAndDurationsTakeUnits() {
    Map<String, String> values =
        Map.of(
            "target-file-size", "64 MB",
            "source.split.target-size", "1gb",
            "snapshot.time-retained", "90 min",
            "commit.timeout", "PT2S");
    TableOptions options = TableOptions.of(keyed(values));
    assertThat(options.dataFile().targetFileBytes()).isEqualTo(64L << 20);
    assertThat(options.scan().splitTargetBytes()).isEqualTo(1L << 30);
    assertThat(options.retention().snapshots().time()).isEqualTo(Duration.ofMinutes(90));
    assertThat(options.commit().timeout()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void targetFileSizeDependsOnThePrimaryKey() {
    assertThat(TableOptions.of(keyed(Map.of())).dataFile().targetFileBytes()).isEqualTo(128L << 20);
    assertThat(TableOptions.of(append(Map.of())).dataFile().targetFileBytes())
        .isEqualTo(256L << 20);
  }

  @Test
  void olderSpellingIsReadWhenTheNameIsNotSet() {
    assertThat(
            TableOptions.of(keyed(Map.of("first-row.ignore-delete", "true")))
                .merge()
                .ignoreDelete())
        .isTrue();
    assertThat(
            TableOptions.of(
                    keyed(Map.of("first-row.ignore-delete", "true", "ignore-delete", "false")))
                .merge()
                .ignoreDelete())
        .isFalse();
  }

  @Test
  void enumsAreReadWhateverTheirCaseAndDash() {
    assertThat(TableOptions.of(keyed(Map.of("merge-engine", "FIRST_ROW"))).merge().engine())
        .isEqualTo(MergeOptions.Engine.FIRST_ROW);
  }

  @Test
  void changelogRetentionFollowsTheSnapshots() {
    RetentionOptions options =
        TableOptions.of(keyed(Map.of("snapshot.num-retained.max", "5"))).retention();
    assertThat(options.snapshots().min()).isEqualTo(5);
    assertThat(options.changelogs()).isEqualTo(options.snapshots());
    assertThat(options.decouplesChangelogs()).isFalse();
  }

  @Test
  void statisticsOfAColumnGoBeforeThoseOfALevel() {
    StatsOptions stats =
        TableOptions.of(
                keyed(
                    Map.of(
                        "metadata.stats-mode.per.level", "0:none",
                        "fields.v.stats-mode", "truncate(4)",
                        "metadata.stats-keep-first-n-columns", "2")))
            .stats();
    assertThat(stats.mode("v", 1, 0))
        .isEqualTo(new StatsOptions.Mode(StatsOptions.Mode.Kind.TRUNCATE, 4));
    assertThat(stats.mode("k", 0, 0).kind()).isEqualTo(StatsOptions.Mode.Kind.NONE);
    assertThat(stats.mode("k", 0, 1))
        .isEqualTo(new StatsOptions.Mode(StatsOptions.Mode.Kind.TRUNCATE, 16));
    assertThat(stats.mode("dt", 2, 1).kind()).isEqualTo(StatsOptions.Mode.Kind.NONE);
  }

  @Test
  void valueOutOfRangeNamesOptionValueAndWhatIsAllowed() {
    assertFails(
        () -> TableOptions.of(keyed(Map.of("bucket", "0"))).bucket(),
        Condition.KEYLAKE_INVALID_OPTION,
        "'0'",
        "'bucket'",
        "at least 1");
    assertFails(
        () -> TableOptions.of(keyed(Map.of("file.compression.zstd-level", "23"))).dataFile(),
        Condition.KEYLAKE_INVALID_OPTION,
        "'23'",
        "1 to 22");
    assertFails(
        () -> TableOptions.of(keyed(Map.of("target-file-size", "9999999999 tb"))).dataFile(),
        Condition.KEYLAKE_INVALID_OPTION,
        "target-file-size");
    assertFails(
        () -> WriteSupport.checkDefinition(keyed(Map.of("merge-engine", "newest")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "newest",
        "merge-engine",
        "deduplicate, partial-update, aggregation, first-row");
    assertFails(
        () -> WriteSupport.checkDefinition(keyed(Map.of("bucket", "many")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "many");
    assertFails(
        () -> WriteSupport.checkDefinition(keyed(Map.of("num-sorted-run.stop-trigger", "x")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "num-sorted-run.stop-trigger");
  }

  @Test
  void zstdLevelsAtBothEndsAreAllowed() {
    for (String level : List.of("1", "22")) {
      assertThat(
              TableOptions.of(keyed(Map.of("file.compression.zstd-level", level)))
                  .dataFile()
                  .zstdLevel())
          .isEqualTo(Integer.parseInt(level));
    }
  }

  @Test
  void choosingTwoVersionsIsAContradiction() {
    assertFails(
        () ->
            TableOptions.of(keyed(Map.of()), Map.of("scan.snapshot-id", "1", "scan.tag-name", "a"))
                .timeTravel(),
        Condition.KEYLAKE_INVALID_OPTION,
        "scan.snapshot-id",
        "scan.tag-name");
    assertFails(
        () ->
            TableOptions.of(keyed(Map.of()), Map.of("scan.snapshot-id", "1", "scan.mode", "latest"))
                .timeTravel(),
        Condition.KEYLAKE_INVALID_OPTION,
        "scan.mode");
  }

  @Test
  void unknownOptionsAreKeptAndIgnored() {
    TableSchema schema = keyed(Map.of("bucket", "2", "my.own-key", "anything"));
    WriteSupport.checkDefinition(schema, "t");
    assertThat(TableOptions.of(schema).asMap()).containsEntry("my.own-key", "anything");
  }

  @Test
  void unsupportedOptionsAreRefusedByNameForWritingButNotForReading() {
    for (Map.Entry<String, String> option :
        Map.of("data-file.external-paths.strategy", "round-robin").entrySet()) {
      TableSchema schema = keyed(Map.of("bucket", "2", option.getKey(), option.getValue()));
      assertFails(
          () -> WriteSupport.check(schema, "db.t"),
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          option.getKey(),
          option.getValue(),
          "db.t");
      ReadSupport.check(schema, "db.t");
    }
  }

  @Test
  void defaultsOfUnsupportedOptionsAreAccepted() {
    WriteSupport.checkDefinition(
        keyed(
            Map.of(
                "bucket", "2",
                "changelog-producer", "none",
                "deletion-vectors.enabled", "false",
                "merge-engine", "deduplicate",
                "type", "table")),
        "t");
  }

  @Test
  void whatWouldBeMisreadIsRefusedForReading() {
    for (Map.Entry<String, String> option :
        Map.of(
                "pk-clustering-override", "true",
                "chain-table.enabled", "true",
                "data-evolution.enabled", "true",
                "scan.fallback-branch", "b",
                "type", "format-table")
            .entrySet()) {
      TableSchema schema = keyed(Map.of("bucket", "2", option.getKey(), option.getValue()));
      assertFails(
          () -> ReadSupport.check(schema, "db.t"),
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          option.getKey(),
          option.getValue());
    }
    TableSchema vector =
        new TableSchema(
            3,
            0,
            List.of(DataField.of(0, "e", new VectorType(DataTypes.FLOAT, 3, true))),
            0,
            List.of(),
            List.of(),
            Map.of(),
            null,
            0,
            UnknownKeys.NONE);
    assertThatThrownBy(() -> ReadSupport.check(vector, "db.t"))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("'e'");
  }

  @Test
  void everyEngineIsReadAndWritten() {
    for (String engine : List.of("deduplicate", "first-row", "partial-update", "aggregation")) {
      TableSchema schema = keyed(Map.of("merge-engine", engine));
      ReadSupport.check(schema, "t");
      WriteSupport.checkDefinition(schema, "t");
    }
  }

  private static TableSchema partitioned(Map<String, String> options) {
    TableSchema keyed = keyed(options);
    return new TableSchema(
        3, 0, keyed.fields(), 2, List.of("dt"), List.of("k"), options, null, 0, UnknownKeys.NONE);
  }

  @Test
  void primaryKeyTableNeedsNoBucketNumber() {
    WriteSupport.checkDefinition(keyed(Map.of()), "db.t");
    WriteSupport.checkDefinition(append(Map.of()), "db.t");
    WriteSupport.checkDefinition(partitioned(Map.of("bucket", "2")), "db.t");
  }

  @Test
  void optionsThatKeepKeysFromMovingAreRefused() {
    WriteSupport.check(partitioned(Map.of()), "db.t");
    for (String option : List.of("sequence.field", "ignore-delete")) {
      String value = option.equals("sequence.field") ? "dt" : "true";
      WriteSupport.check(partitioned(Map.of("bucket", "2", option, value)), "db.t");
      assertFails(
          () -> WriteSupport.check(partitioned(Map.of(option, value)), "db.t"),
          Condition.KEYLAKE_INVALID_OPTION,
          "'" + option + "'",
          "primary key [k]",
          "[dt]",
          "add the partition columns to the primary key");
    }
  }

  @Test
  void postponedBucketsAreWrittenAtOnceOnly() {
    WriteSupport.checkDefinition(keyed(Map.of("bucket", "-2")), "db.t");
    assertFails(
        () ->
            WriteSupport.checkDefinition(
                keyed(Map.of("bucket", "-2", "postpone.batch-write-fixed-bucket", "false")),
                "db.t"),
        Condition.KEYLAKE_UNSUPPORTED_OPTION,
        "postpone.batch-write-fixed-bucket",
        "Leave it at 'true'");
  }

  @Test
  void postponedBucketsAreCountedByTheirData() {
    BucketOptions.Postpone defaults = TableOptions.of(keyed(Map.of())).bucket().postpone();
    assertThat(defaults).isEqualTo(new BucketOptions.Postpone(null, 2048, null, 1L << 30));
    assertThat(defaults.bucketsFor(0, 1_000_000)).isEqualTo(1);
    assertThat(defaults.bucketsFor(1L << 30, 0)).isEqualTo(1);
    assertThat(defaults.bucketsFor((1L << 30) + 1, 0)).isEqualTo(2);
    assertThat(defaults.bucketsFor(5L << 30, 0)).isEqualTo(8);
    assertThat(defaults.bucketsFor(Long.MAX_VALUE, 0)).isEqualTo(2048);
    assertThat(new BucketOptions.Postpone(null, 5, 10L, 1L << 30).bucketsFor(1, 45)).isEqualTo(4);
    assertThat(new BucketOptions.Postpone(null, 8, 10L, 1L << 30).bucketsFor(1, 45)).isEqualTo(8);
    assertThat(new BucketOptions.Postpone(3, 8, 10L, 1L << 30).bucketsFor(1, 45)).isEqualTo(3);
  }

  @Test
  void stagedRowsAreSeenUnlessAnOptionHidesThem() {
    assertThat(TableOptions.of(keyed(Map.of())).scan().staged())
        .isEqualTo(ScanOptions.Visibility.COMMITTED);
    assertThat(staged(Map.of("postpone.merge-on-read", "false")))
        .isEqualTo(ScanOptions.Visibility.COMPACTED);
    assertThat(staged(Map.of("postpone.merge-on-read", "true")))
        .isEqualTo(ScanOptions.Visibility.COMMITTED);
    assertThat(staged(Map.of("postpone.merge-on-read", "false", "scan.visibility", "committed")))
        .isEqualTo(ScanOptions.Visibility.COMMITTED);
    assertThat(staged(Map.of("deletion-vectors.merge-on-read", "false")))
        .isEqualTo(ScanOptions.Visibility.COMMITTED);
  }

  private static ScanOptions.Visibility staged(Map<String, String> options) {
    return TableOptions.of(keyed(options)).scan().staged();
  }

  @Test
  void dynamicBucketOptionsAreNumbersInTheirRanges() {
    BucketOptions.Dynamic defaults = TableOptions.of(keyed(Map.of())).bucket().dynamic();
    assertThat(defaults).isEqualTo(new BucketOptions.Dynamic(2_000_000, null, -1, null));
    Map<String, String> ends =
        Map.of(
            "dynamic-bucket.target-row-num", "1",
            "dynamic-bucket.initial-buckets", "32767",
            "dynamic-bucket.max-buckets", "1",
            "dynamic-bucket.assigner-parallelism", "1");
    assertThat(TableOptions.of(keyed(ends)).bucket().dynamic())
        .isEqualTo(new BucketOptions.Dynamic(1, 32_767, 1, 1));
    for (Map.Entry<String, String> wrong :
        List.of(
            Map.entry("dynamic-bucket.target-row-num", "0"),
            Map.entry("dynamic-bucket.initial-buckets", "0"),
            Map.entry("dynamic-bucket.initial-buckets", "32768"),
            Map.entry("dynamic-bucket.max-buckets", "0"),
            Map.entry("dynamic-bucket.max-buckets", "-2"),
            Map.entry("dynamic-bucket.assigner-parallelism", "0"))) {
      assertFails(
          () -> WriteSupport.checkDefinition(keyed(Map.of(wrong.getKey(), wrong.getValue())), "t"),
          Condition.KEYLAKE_INVALID_OPTION,
          wrong.getKey());
    }
  }

  @Test
  void bucketKeyMustSuitTheTable() {
    assertFails(
        () -> WriteSupport.checkDefinition(append(Map.of("bucket", "2", "bucket-key", "idd")), "t"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "idd");
    assertFails(
        () -> WriteSupport.checkDefinition(append(Map.of("bucket", "2")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "bucket-key");
    assertFails(
        () -> WriteSupport.checkDefinition(append(Map.of("bucket-key", "k")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "bucket");
    assertFails(
        () -> WriteSupport.checkDefinition(append(Map.of("bucket", "2", "bucket-key", "dt")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "partition column");
    assertFails(
        () -> WriteSupport.checkDefinition(keyed(Map.of("bucket", "2", "bucket-key", "v")), "t"),
        Condition.KEYLAKE_INVALID_OPTION,
        "primary key");
  }

  @Test
  void optionsMayNotNameMissingColumns() {
    assertFails(
        () ->
            WriteSupport.checkDefinition(
                keyed(Map.of("bucket", "1", "fields.nope.stats-mode", "none")), "t"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "nope");
    assertFails(
        () ->
            WriteSupport.checkDefinition(
                keyed(Map.of("bucket", "1", "sequence.field", "nope")), "t"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "nope");
  }

  @Test
  void immutableOptionsStayOnceThereIsData() {
    TableSchema schema = keyed(Map.of("bucket", "2"));
    Map<String, String> other = Map.of("bucket", "2", "merge-engine", "first-row");
    OptionChanges.checkEmpty(schema, other, "t");
    assertFails(
        () -> OptionChanges.checkFilled(schema, other, "t"),
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "merge-engine");
    OptionChanges.checkFilled(
        schema, Map.of("bucket", "3", "merge-engine", "deduplicate", "write-only", "true"), "t");
    assertFails(
        () -> OptionChanges.checkFilled(schema, Map.of("bucket", "-1"), "t"),
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "bucket");
    assertFails(
        () -> OptionChanges.checkFilled(schema, Map.of(), "t"),
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "bucket");
    assertFails(
        () -> OptionChanges.checkEmpty(schema, Map.of("bucket", "2", "primary-key", "v"), "t"),
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "primary-key");
  }

  @Test
  void ignoreDeleteMayOnlyBeTurnedOn() {
    TableSchema on = keyed(Map.of("ignore-delete", "true"));
    TableSchema off = keyed(Map.of());
    OptionChanges.checkFilled(off, Map.of("ignore-delete", "true"), "t");
    assertFails(
        () -> OptionChanges.checkFilled(on, Map.of("ignore-delete", "false"), "t"),
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "ignore-delete");
  }

  @Test
  void statementsMayNotOverrideTheLayout() {
    TableSchema schema = keyed(Map.of("bucket", "2"));
    OptionChanges.checkOverrides(schema, Map.of("scan.snapshot-id", "3", "bucket", "2"), "t");
    assertThatThrownBy(() -> OptionChanges.checkOverrides(schema, Map.of("bucket", "3"), "t"))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("bucket");
    OptionChanges.checkStatement(schema, Map.of("primary-key", "k", "bucket", "2"), "t");
    for (String option : List.of("bucket=-1", "bucket=3", "bucket-key=k", "primary-key=v")) {
      String[] parts = option.split("=");
      assertFails(
          () -> OptionChanges.checkStatement(schema, Map.of(parts[0], parts[1]), "t"),
          Condition.KEYLAKE_IMMUTABLE_OPTION,
          parts[0]);
    }
    for (String option : List.of("sequence.field", "fields.v.aggregate-function")) {
      assertThatThrownBy(() -> OptionChanges.checkOverrides(schema, Map.of(option, "v"), "t"))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining(option);
    }
  }

  @Test
  void familiesOfKeysAreKnown() {
    assertThat(KnownOptions.find("fields.a.b.aggregate-function")).isPresent();
    assertThat(KnownOptions.find("file-index.bloom-filter.columns")).isPresent();
    assertThat(KnownOptions.find("parquet.page.size")).isPresent();
    assertThat(KnownOptions.find("no.such.key")).isEmpty();
  }
}
