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

package io.keylake.format.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.DataPlacement.IndexPlacement;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableLayoutTest {
  private final TableLayout table = TableLayout.of(new Location("hdfs://nn/wh/db.db/t"));

  private static void assertForbidden(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRequestException.class)
        .extracting(failure -> ((InvalidRequestException) failure).condition())
        .isEqualTo(Condition.KEYLAKE_FORBIDDEN_PATH);
  }

  private static String inTable(Location location) {
    assertThat(location.path()).startsWith("hdfs://nn/wh/db.db/t/");
    return location.path().substring("hdfs://nn/wh/db.db/t/".length());
  }

  @Test
  void mainBranchIsTheTableItself() {
    assertThat(inTable(table.schema(0))).isEqualTo("schema/schema-0");
    assertThat(inTable(table.snapshot(12))).isEqualTo("snapshot/snapshot-12");
    assertThat(inTable(table.snapshotFolder().child(TableLayout.LATEST)))
        .isEqualTo("snapshot/LATEST");
    assertThat(inTable(table.changelog(3))).isEqualTo("changelog/changelog-3");
    assertThat(inTable(table.tag("v1"))).isEqualTo("tag/tag-v1");
    assertThat(inTable(table.tagSuccess("v1"))).isEqualTo("tag/tag-success-file/v1_SUCCESS");
    assertThat(inTable(table.consumer("me"))).isEqualTo("consumer/consumer-me");
    assertThat(inTable(table.manifest("manifest-a-0"))).isEqualTo("manifest/manifest-a-0");
    assertThat(inTable(table.statistics("stat-a-0"))).isEqualTo("statistics/stat-a-0");
    assertThat(table.onBranch("main").branchFolder()).isEqualTo(table.root());
  }

  @Test
  void branchHasItsOwnHistoryAndSharesEverythingElse() {
    TableLayout branch = table.onBranch("dev");
    assertThat(inTable(branch.schema(1))).isEqualTo("branch/branch-dev/schema/schema-1");
    assertThat(inTable(branch.snapshot(1))).isEqualTo("branch/branch-dev/snapshot/snapshot-1");
    assertThat(inTable(branch.changelog(1))).isEqualTo("branch/branch-dev/changelog/changelog-1");
    assertThat(inTable(branch.tag("v"))).isEqualTo("branch/branch-dev/tag/tag-v");
    assertThat(inTable(branch.consumer("c"))).isEqualTo("branch/branch-dev/consumer/consumer-c");
    assertThat(branch.manifest("m")).isEqualTo(table.manifest("m"));
    assertThat(branch.statistics("s")).isEqualTo(table.statistics("s"));
    assertThat(branch.bucketFolder("dt=1", 0)).isEqualTo(table.bucketFolder("dt=1", 0));
  }

  @Test
  void bucketsAreBelowTheirPartition() {
    assertThat(inTable(table.bucketFolder("", 0))).isEqualTo("bucket-0");
    assertThat(inTable(table.bucketFolder("dt=a%3Ab/h=1", 17))).isEqualTo("dt=a%3Ab/h=1/bucket-17");
    assertThat(inTable(table.bucketFolder("", -2))).isEqualTo("bucket-postpone");
    assertThat(inTable(table.dataFile("dt=1", 2, "data-x-0.parquet", null)))
        .isEqualTo("dt=1/bucket-2/data-x-0.parquet");
    Location file = table.dataFile("dt=1", 2, "data-x-0.parquet", null);
    assertThat(inTable(TableLayout.extraFile(file, "data-x-0.parquet.index")))
        .isEqualTo("dt=1/bucket-2/data-x-0.parquet.index");
  }

  @Test
  void optionsMoveDataAndIndexFiles() {
    TableLayout moved =
        table.placing(new DataPlacement("data/files", IndexPlacement.BUCKET_FOLDER, List.of()));
    assertThat(inTable(moved.bucketFolder("dt=1", 0))).isEqualTo("data/files/dt=1/bucket-0");
    assertThat(inTable(moved.indexFile("dt=1", 0, "index-a-0", null)))
        .isEqualTo("data/files/dt=1/bucket-0/index-a-0");
    assertThat(inTable(table.indexFile("dt=1", 0, "index-a-0", null))).isEqualTo("index/index-a-0");
  }

  @Test
  void externalFilesAreWhereTheirPathSaysInsideAllowedRoots() {
    Location elsewhere = new Location("s3a://other/root");
    TableLayout external =
        table.placing(new DataPlacement("", IndexPlacement.INDEX_FOLDER, List.of(elsewhere)));
    String path = "s3a://other/root/bucket-0/data-x-0.orc";
    assertThat(external.dataFile("", 0, "data-x-0.orc", path)).isEqualTo(new Location(path));
    assertThat(external.indexFile("", 0, "index-x-0", path)).isEqualTo(new Location(path));
    assertThat(TableLayout.bucketFolder(elsewhere, "dt=1", 3))
        .isEqualTo(elsewhere.child("dt=1/bucket-3"));
    assertForbidden(() -> table.dataFile("", 0, "data-x-0.orc", path));
    assertForbidden(() -> external.dataFile("", 0, "x", "s3a://other/rootless/x"));
    assertForbidden(() -> external.dataFile("", 0, "x", "s3a://other/root/../secret"));
    assertForbidden(() -> external.dataFile("", 0, "x", "s3a://other/root/.."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ".", "..", "a/b", "../x", "/etc/passwd", "a/../../b", "a\0b"})
  void namesThatAreNotOneSegmentAreForbidden(String name) {
    assertForbidden(() -> table.manifest(name));
    assertForbidden(() -> table.statistics(name));
    assertForbidden(() -> table.tag(name));
    assertForbidden(() -> table.tagSuccess(name));
    assertForbidden(() -> table.consumer(name));
    assertForbidden(() -> table.onBranch(name));
    assertForbidden(() -> table.dataFile("", 0, name, null));
    assertForbidden(() -> table.indexFile("", 0, name, null));
    assertForbidden(() -> TableLayout.extraFile(table.root().child("bucket-0/x"), name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/abs", "..", "a/../b", "./a"})
  void dataDirectoryStaysBelowTheTable(String directory) {
    assertForbidden(() -> new DataPlacement(directory, IndexPlacement.INDEX_FOLDER, List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "snapshot-, snapshot-12, 12",
    "schema-, schema-0, 0",
    "snapshot-, snapshot-, -1",
    "snapshot-, snapshot-1x, -1",
    "snapshot-, snapshot--1, -1",
    "snapshot-, LATEST, -1",
    "snapshot-, .snapshot-1.u.tmp, -1",
    "snapshot-, snapshot-99999999999999999999, -1"
  })
  void idIsTheNumberBehindThePrefix(String prefix, String name, long id) {
    assertThat(TableLayout.idOf(prefix, name).orElse(-1)).isEqualTo(id);
  }
}
