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

package io.keylake.spark.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.snapshot.BranchStore;
import io.keylake.golden.GoldenTables;
import io.keylake.spark.testing.SoundTable;
import io.keylake.table.LakeTable;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every table that the reference implementation wrote is sound, in all its snapshots and tags. */
final class GoldenCheckTest {
  @TempDir private static Path folder;

  static List<String> tables() {
    return GoldenTables.names();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void tableIsSound(String name) {
    Path root = GoldenTables.unpack(name, folder);
    LakeTable table =
        LakeTable.load(
            name, HadoopFileIO.of(new Configuration(false)), new Location(root.toUri().toString()));
    assertThat(SoundTable.of(table).everything()).isEmpty();
    for (BranchStore.Branch branch : table.storage().branches().all()) {
      assertThat(SoundTable.of(table.onBranch(branch.name())).everything())
          .as(branch.name())
          .isEmpty();
    }
  }
}
