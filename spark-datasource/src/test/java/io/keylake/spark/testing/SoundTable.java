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

package io.keylake.spark.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.spark.file.StoredRows;
import io.keylake.table.LakeTable;
import io.keylake.table.maintenance.TableCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Fails a test whose table is not sound. */
public final class SoundTable {
  private SoundTable() {}

  /** Checks the newest snapshot of a table. */
  public static void check(LakeTable table) {
    assertThat(of(table).newest()).as("problems of " + table).isEmpty();
  }

  /** Checks the newest snapshot of the table in a local folder. */
  public static void check(Path folder) {
    check(load(folder));
  }

  /** Checks all snapshots and tags of a table. */
  public static void checkEverything(LakeTable table) {
    assertThat(of(table).everything()).as("problems of " + table).isEmpty();
  }

  /** Checks all snapshots and tags of the table in a local folder. */
  public static void checkEverything(Path folder) {
    checkEverything(load(folder));
  }

  /** Checks all snapshots and tags of every table in a folder and below. */
  public static void checkAllUnder(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(file -> file.endsWith(Path.of("schema", "schema-0")))
          .filter(file -> !folder.relativize(file).toString().contains("branch-"))
          .forEach(file -> checkEverything(file.getParent().getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LakeTable load(Path folder) {
    return LakeTable.load(
        folder.getFileName().toString(),
        HadoopFileIO.of(new Configuration(false)),
        new Location("file:" + folder.toAbsolutePath()));
  }

  /** A check of a table. */
  public static TableCheck of(LakeTable table) {
    LakeTable newest = table.refreshed();
    return new TableCheck(
        newest.storage(), newest.schema(), new StoredRows(new Configuration(false)));
  }
}
