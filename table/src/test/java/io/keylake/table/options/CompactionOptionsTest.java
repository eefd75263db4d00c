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

import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.table.options.CompactionOptions.LevelZero;
import io.keylake.table.options.support.WriteSupport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CompactionOptionsTest {
  private static TableSchema schema(List<String> keys, String... options) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      values.put(options[i], options[i + 1]);
    }
    if (!keys.isEmpty()) {
      values.put("bucket", "1");
    }
    return new TableSchema(
        3,
        0,
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "v", DataTypes.STRING),
            DataField.of(2, "seconds", DataTypes.BIGINT)),
        2,
        List.of(),
        keys,
        values,
        null,
        0,
        UnknownKeys.NONE);
  }

  private static CompactionOptions options(String... options) {
    return TableOptions.of(schema(List.of("k"), options)).compaction();
  }

  private static void assertRefused(TableSchema schema, Condition condition, String... parts) {
    assertThatThrownBy(() -> WriteSupport.checkDefinition(schema, "db.t"))
        .isInstanceOf(TableException.class)
        .hasMessageContainingAll(parts)
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(condition);
  }

  @Test
  void levelsAreOneMoreThanTheTriggerUnlessSet() {
    assertThat(options().levels()).isEqualTo(6);
    assertThat(options("num-sorted-run.compaction-trigger", "3").levels()).isEqualTo(4);
    assertThat(options("num-levels", "9").levels()).isEqualTo(9);
  }

  @Test
  void offPeakHoursRaiseTheSizeRatio() {
    CompactionOptions.Ratios night =
        options(
                "compaction.size-ratio", "3",
                "compaction.offpeak.start.hour", "22",
                "compaction.offpeak.end.hour", "6",
                "compaction.offpeak-ratio", "40")
            .ratios();
    assertThat(List.of(21, 22, 0, 5, 6).stream().map(night::sizePercentAt))
        .containsExactly(3, 43, 43, 43, 3);
    CompactionOptions.Ratios noon =
        options(
                "compaction.offpeak.start.hour", "12",
                "compaction.offpeak.end.hour", "13",
                "compaction.offpeak-ratio", "10")
            .ratios();
    assertThat(List.of(11, 12, 13).stream().map(noon::sizePercentAt)).containsExactly(1, 11, 1);
    assertThat(options("compaction.offpeak-ratio", "10").ratios().sizePercentAt(0)).isEqualTo(1);
  }

  @Test
  void gentleIsRadicalWhenEveryChanceCounts() {
    assertThat(options().levelZero()).isEqualTo(LevelZero.RADICAL);
    assertThat(options("lookup-compact", "gentle").levelZero()).isEqualTo(LevelZero.GENTLE);
    assertThat(options("lookup-compact", "GENTLE", "lookup-compact.max-interval", "1").levelZero())
        .isEqualTo(LevelZero.RADICAL);
  }

  @Test
  void oldSpellingOfWriteOnlyIsRead() {
    assertThat(options("write.compaction-skip", "true").writeOnly()).isTrue();
    assertThat(options().writeOnly()).isFalse();
  }

  @Test
  void thresholdsAreOffUnlessSet() {
    CompactionOptions.Fullness none = options().fullness();
    assertThat(none).isEqualTo(new CompactionOptions.Fullness(null, false, null, null, false));
    assertThat(
            options(
                    "full-compaction.delta-commits", "7",
                    "compaction.optimization-interval", "1 h",
                    "compaction.total-size-threshold", "1 mb",
                    "compaction.incremental-size-threshold", "2 mb",
                    "compaction.force-rewrite-all-files", "true")
                .fullness())
        .isEqualTo(new CompactionOptions.Fullness(7, true, 1L << 20, 2L << 20, true));
  }

  @Test
  void smallFilesAreAShareOfTheTarget() {
    assertThat(options().smallFiles().bytes(1000)).isEqualTo(700);
    assertThat(options("compaction.small-file-ratio", "0").smallFiles().bytes(1000)).isZero();
    assertThat(options("compaction.small-file-ratio", "1").smallFiles().bytes(9)).isEqualTo(9);
  }

  @Test
  void vectorsAre32BitUnlessSet() {
    assertThat(TableOptions.of(schema(List.of("k"))).vectors())
        .isEqualTo(new VectorOptions(VectorVersion.V1, 2L << 20));
    assertThat(
            TableOptions.of(schema(List.of("k"), "deletion-vectors.bitmap64", "true"))
                .vectors()
                .version())
        .isEqualTo(VectorVersion.V2);
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    for (List<String> option :
        List.of(
            List.of("compaction.offpeak.start.hour", "24"),
            List.of("compaction.offpeak.end.hour", "25"),
            List.of("compaction.size-ratio", "-1"),
            List.of("compaction.small-file-ratio", "1.01"),
            List.of("compaction.delete-ratio-threshold", "-0.1"),
            List.of("compaction.min.file-num", "0"),
            List.of("compaction.file-num-limit", "0"),
            List.of("full-compaction.delta-commits", "0"),
            List.of("lookup-compact.max-interval", "0"),
            List.of("num-levels", "1"),
            List.of("record-level.expire-time", "0 s"),
            List.of("deletion-vector.index-file.target-size", "0 b"))) {
      assertRefused(
          schema(List.of("k"), option.get(0), option.get(1)),
          Condition.KEYLAKE_INVALID_OPTION,
          option.get(0),
          option.get(1));
    }
  }

  @Test
  void expiryNeedsAColumnOfATime() {
    WriteSupport.checkDefinition(
        schema(
            List.of("k"), "record-level.expire-time", "1 h", "record-level.time-field", "seconds"),
        "db.t");
    assertThat(options("record-level.expire-time", "1 h").expiry().time())
        .isEqualTo(Duration.ofHours(1));
    assertRefused(
        schema(List.of("k"), "record-level.expire-time", "1 h"),
        Condition.KEYLAKE_INVALID_OPTION,
        "record-level.expire-time",
        "record-level.time-field");
    assertRefused(
        schema(List.of("k"), "record-level.time-field", "nope"),
        Condition.KEYLAKE_COLUMN_NOT_FOUND,
        "nope");
    assertRefused(
        schema(List.of("k"), "record-level.time-field", "v"),
        Condition.KEYLAKE_INVALID_OPTION,
        "'v'",
        "VARCHAR");
    assertRefused(
        schema(List.of(), "record-level.expire-time", "1 h", "record-level.time-field", "seconds"),
        Condition.KEYLAKE_INVALID_OPTION,
        "primary key");
  }

  @Test
  void deletionVectorsGoWithDeduplicateAndWithoutFullCompactionChangelog() {
    WriteSupport.checkDefinition(schema(List.of("k"), "deletion-vectors.enabled", "true"), "db.t");
    WriteSupport.checkDefinition(schema(List.of(), "deletion-vectors.enabled", "true"), "db.t");
    assertRefused(
        schema(List.of("k"), "deletion-vectors.enabled", "true", "merge-engine", "first-row"),
        Condition.KEYLAKE_INVALID_OPTION,
        "deletion-vectors.enabled",
        "first-row");
    assertRefused(
        schema(
            List.of("k"),
            "deletion-vectors.enabled",
            "true",
            "changelog-producer",
            "full-compaction"),
        Condition.KEYLAKE_INVALID_OPTION,
        "deletion-vectors.enabled",
        "full-compaction");
  }
}
