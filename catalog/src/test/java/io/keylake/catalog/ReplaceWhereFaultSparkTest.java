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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.spark.testing.SoundTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Overwrites by conditions on rows that meet other commits, or fail. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReplaceWhereFaultSparkTest {
  private static final String COPIES = "'bucket' = '-1'";
  private static final String VECTORS = "'deletion-vectors.enabled' = 'true'";
  private static final String KEYED = "'primary-key' = 'id', 'bucket' = '1', 'write-only' = 'true'";
  private static final String OVERWRITE =
      "INSERT INTO t REPLACE WHERE id <= 2 VALUES (1, 'mine'), (-1, 'mine')";

  @TempDir private Path warehouse;
  private SharedSpark spark;
  private SharedSpark other;

  @BeforeEach
  void startSpark() {
    spark = SharedSpark.over(warehouse, HookedFileSystem.OPTIONS);
    other = SharedSpark.over(warehouse);
  }

  @AfterEach
  void tablesAreSound() {
    HookedFileSystem.unhook();
    SoundTable.checkAllUnder(warehouse);
  }

  private void create(String properties) {
    spark.run(
        "CREATE TABLE t (id INT, v STRING) TBLPROPERTIES (" + properties + ")",
        "INSERT INTO t SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'v' FROM range(0, 6)");
  }

  private List<String> stored() {
    try (Stream<Path> files = Files.walk(warehouse)) {
      return files
          .map(Path::toString)
          .filter(file -> !file.endsWith(".crc") && Files.isRegularFile(Path.of(file)))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {COPIES, VECTORS, KEYED})
  void rowThatAnotherCommitChangedIsAConflict(String properties) {
    create(properties);
    List<String> after = new ArrayList<>();
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith("manifest") && done.compareAndSet(false, true)) {
            other.run("UPDATE t SET v = 'other' WHERE id = 2");
            after.addAll(stored());
          }
        });
    assertThatThrownBy(() -> spark.run(OVERWRITE))
        .hasMessageContaining("KEYLAKE_CONCURRENT_MODIFICATION");
    assertThat(other.rows("SELECT * FROM t WHERE id <= 2 ORDER BY id"))
        .containsExactly("0,v", "1,v", "2,other");
    assertThat(after).as("what failed leaves no file").containsAll(stored());
  }

  @ParameterizedTest
  @ValueSource(strings = {COPIES, VECTORS, KEYED})
  void rowsThatOthersAddStay(String properties) {
    create(properties);
    AtomicBoolean done = new AtomicBoolean();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith("manifest") && done.compareAndSet(false, true)) {
            other.run("INSERT INTO t VALUES (100, 'new')");
          }
        });
    spark.run(OVERWRITE);
    assertThat(other.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("-1,mine", "1,mine", "3,v", "4,v", "5,v", "100,new");
  }

  @ParameterizedTest
  @ValueSource(strings = {COPIES, VECTORS, KEYED})
  void overwriteThatCannotBeCommittedLeavesNothing(String properties) {
    create(properties);
    List<String> before = stored();
    HookedFileSystem.hook(
        path -> {
          if (path.getName().startsWith("manifest")) {
            throw new IOException("no space");
          }
        });
    assertThatThrownBy(() -> spark.run(OVERWRITE)).hasStackTraceContaining("no space");
    HookedFileSystem.unhook();
    assertThat(stored()).isEqualTo(before);
    assertThat(other.rows("SELECT count(*) FROM t WHERE v = 'v'")).containsExactly("6");
  }
}
