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

package io.keylake.format.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.golden.GoldenTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotCodecTest {
  private static final String MINIMAL =
      """
      {
        "version" : 3,
        "id" : 7,
        "schemaId" : 0,
        "baseManifestList" : "manifest-list-a-0",
        "deltaManifestList" : "manifest-list-a-1",
        "commitUser" : "u",
        "commitIdentifier" : 9223372036854775807,
        "commitKind" : "APPEND",
        "timeMillis" : 1700000000000,
        "totalRecordCount" : 1,
        "deltaRecordCount" : -1%s
      }\
      """;

  @TempDir Path folder;

  private static Snapshot read(String more) {
    return SnapshotCodec.read(MINIMAL.formatted(more).getBytes(UTF_8), "snapshot-7");
  }

  @Test
  void goldenSnapshotsAreWrittenByteForByte() throws IOException {
    int checked = 0;
    for (String table : List.of("dv_pk64", "tags_branches", "cl_decoupled", "dyn_bucket")) {
      Path snapshots = GoldenTables.unpack(table, folder).resolve("snapshot");
      try (Stream<Path> files = Files.list(snapshots)) {
        for (Path file :
            files.filter(f -> f.getFileName().toString().startsWith("snap")).toList()) {
          byte[] content = Files.readAllBytes(file);
          Snapshot snapshot = SnapshotCodec.read(content, file.toString());
          assertThat(SnapshotCodec.toText(snapshot)).isEqualTo(new String(content, UTF_8));
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(10);
  }

  @Test
  void onlyTheMandatoryKeysAreNeeded() {
    Snapshot snapshot = read("");

    assertThat(snapshot.id()).isEqualTo(7);
    assertThat(snapshot.commitIdentifier()).isEqualTo(Snapshot.BATCH_IDENTIFIER);
    assertThat(snapshot.nextRowId()).isNull();
    assertThat(snapshot.properties()).isEmpty();
    assertThat(SnapshotCodec.toText(snapshot)).isEqualTo(MINIMAL.formatted(""));
  }

  @Test
  void unknownKeysSurviveRewriting() {
    String more =
        """
        ,
          "nextRowId" : 0,
          "a" : [ 1.50, null ],
          "operation" : "MERGE",
          "uuid" : {
            "x" : true
          }\
        """;

    assertThat(SnapshotCodec.toText(read(more))).isEqualTo(MINIMAL.formatted(more));
  }

  @Test
  void otherVersionsAreRefusedByName() {
    String other = MINIMAL.formatted("").replace("\"version\" : 3", "\"version\" : 4");

    assertThatThrownBy(() -> SnapshotCodec.read(other.getBytes(UTF_8), "/t/snapshot-7"))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("/t/snapshot-7")
        .hasMessageContaining("version 4")
        .extracting(e -> ((TableException) e).condition())
        .isEqualTo(Condition.KEYLAKE_UNSUPPORTED_FEATURE);
  }

  @Test
  void anUnknownCommitKindIsRefusedByName() {
    String other = MINIMAL.formatted("").replace("APPEND", "SHUFFLE");

    assertThatThrownBy(() -> SnapshotCodec.read(other.getBytes(UTF_8), "/t/snapshot-7"))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("SHUFFLE");
  }

  @Test
  void damageNamesTheFileAndTheKey() {
    String cut = MINIMAL.formatted("").substring(0, 90);
    String without = MINIMAL.formatted("").replace("\"commitUser\" : \"u\",", "");

    assertThatThrownBy(() -> SnapshotCodec.read(cut.getBytes(UTF_8), "/t/snapshot-7"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("/t/snapshot-7");
    assertThatThrownBy(() -> SnapshotCodec.read(without.getBytes(UTF_8), "/t/snapshot-7"))
        .isInstanceOf(CorruptTableException.class)
        .hasMessageContaining("\"commitUser\"");
  }

  @Test
  void aTagWithoutRetentionIsItsSnapshot() {
    Snapshot snapshot = read("");

    assertThat(new String(TagCodec.write(new Tag("t", snapshot, null, null)), UTF_8))
        .isEqualTo(MINIMAL.formatted(""));
  }

  @Test
  void aTagKeepsItsCreationTimeAndRetention() {
    Tag tag =
        new Tag(
            "t", read(""), LocalDateTime.of(2024, 1, 2, 3, 4, 0, 0), Duration.ofSeconds(86_405));
    String more =
        """
        ,
          "tagCreateTime" : [ 2024, 1, 2, 3, 4 ],
          "tagTimeRetained" : 86405.000000000\
        """;

    byte[] written = TagCodec.write(tag);

    assertThat(new String(written, UTF_8)).isEqualTo(MINIMAL.formatted(more));
    assertThat(TagCodec.read("t", written, "tag-t")).isEqualTo(tag);
  }

  @Test
  void tagTimesAreReadAsText() {
    String more = ", \"tagCreateTime\" : \"2024-01-02T03:04:05.5\", \"tagTimeRetained\" : \"PT1M\"";

    Tag tag = TagCodec.read("t", MINIMAL.formatted(more).getBytes(UTF_8), "tag-t");

    assertThat(tag.createTime()).isEqualTo(LocalDateTime.of(2024, 1, 2, 3, 4, 5, 500_000_000));
    assertThat(tag.timeRetained()).isEqualTo(Duration.ofMinutes(1));
    assertThat(tag.snapshot().unknown().json()).isEmpty();
  }
}
