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

package io.keylake.table.options.changelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.table.options.DataFileOptions.Format;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.changelog.ChangelogOptions.Duplicates;
import io.keylake.table.options.support.WriteSupport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChangelogOptionsTest {
  private static TableSchema schema(List<String> keys, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("bucket", keys.isEmpty() ? "-1" : "1"));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new TableSchema(
        3,
        0,
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "v", DataTypes.STRING)),
        1,
        List.of(),
        keys,
        all,
        null,
        0,
        UnknownKeys.NONE);
  }

  private static ChangelogOptions options(String... options) {
    return ChangelogOptions.of(TableOptions.of(schema(List.of("k"), options))).orElseThrow();
  }

  private static void assertRefused(TableSchema schema, String... words) {
    assertThatThrownBy(() -> WriteSupport.checkDefinition(schema, "db.t"))
        .hasMessageContainingAll(words);
  }

  @Test
  void filesAreLikeDataFilesUnlessSaidOtherwise() {
    ChangelogOptions same =
        options("changelog-producer", "input", "file.format", "orc", "file.compression", "lz4");
    assertThat(same.files().format(0)).isEqualTo(Format.ORC);
    assertThat(same.files().compression(3)).isEqualTo("lz4");
    assertThat(same.duplicates()).isEqualTo(Duplicates.WRITTEN);
    ChangelogOptions other =
        options(
            "changelog-producer",
            "lookup",
            "file.format.per.level",
            "5:avro",
            "changelog-file.format",
            "avro",
            "changelog-file.compression",
            "snappy",
            "changelog-file.stats-mode",
            "none",
            "changelog-producer.row-deduplicate",
            "true",
            "changelog-producer.row-deduplicate-ignore-fields",
            "v");
    assertThat(other.files().format(0)).isEqualTo(Format.AVRO);
    assertThat(other.files().compression(0)).isEqualTo("snappy");
    assertThat(other.stats().mode("v", 1, 0)).isNotEqualTo(same.stats().mode("v", 1, 0));
    assertThat(other.duplicates()).isEqualTo(Duplicates.LEFT_OUT);
    assertThat(other.ignoredColumns()).containsExactly("v");
  }

  @Test
  void tablesWithoutAProducerHaveNoChangelog() {
    assertThat(ChangelogOptions.of(TableOptions.of(schema(List.of("k"))))).isEmpty();
  }

  @Test
  void lookupTellsOfLevelZeroAndFullCompactionOfAllBelowTheTop() {
    assertThat(options("changelog-producer", "lookup").oldLevel(3, 5)).isEqualTo(1);
    assertThat(options("changelog-producer", "full-compaction").oldLevel(5, 5)).isEqualTo(5);
    assertThat(options("changelog-producer", "full-compaction").oldLevel(4, 5)).isZero();
    assertThat(options("changelog-producer", "input").oldLevel(5, 5)).isZero();
  }

  @Test
  void definitionsThatContradictAreRefused() {
    WriteSupport.checkDefinition(schema(List.of("k"), "changelog-producer", "lookup"), "db.t");
    WriteSupport.checkDefinition(
        schema(List.of("k"), "changelog-producer", "input", "streaming-read-overwrite", "true"),
        "db.t");
    assertRefused(schema(List.of(), "changelog-producer", "input"), "primary key", "db.t");
    for (String producer : List.of("lookup", "full-compaction")) {
      assertRefused(
          schema(List.of("k"), "changelog-producer", producer, "streaming-read-overwrite", "true"),
          producer,
          "streaming-read-overwrite");
    }
    assertRefused(
        schema(List.of("k"), "changelog-producer.row-deduplicate-ignore-fields", "nope"), "nope");
    assertRefused(
        schema(List.of("k"), "changelog-producer", "input", "changelog-file.stats-mode", "some"),
        "changelog-file.stats-mode");
  }
}
