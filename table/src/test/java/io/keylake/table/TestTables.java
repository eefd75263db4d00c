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

package io.keylake.table;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.golden.DataFiles;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Tables at metadata level for tests of the front door and of upkeep. */
public final class TestTables {
  public static final FileIO LOCAL = HadoopFileIO.of(new Configuration(false));

  private TestTables() {}

  /** A schema of an append table with one column. */
  public static TableSchema schema(Map<String, String> options) {
    return new TableSchema(
        TableSchema.CURRENT_VERSION,
        0,
        List.of(DataField.of(0, "v", DataTypes.STRING)),
        0,
        List.of(),
        List.of(),
        options,
        null,
        0,
        UnknownKeys.NONE);
  }

  /** A new append table in the folder. */
  public static LakeTable create(Path folder, Map<String, String> options) {
    Location root = new Location(folder.toUri().toString());
    return LakeTable.create("db.t", LOCAL, root, schema(options));
  }

  /** Commits one file of this name. */
  public static Snapshot commit(LakeTable table, String name) {
    return table
        .committer(CommitEnvironment.system())
        .commit(CommitRequest.batch(name, changes(name)))
        .newest()
        .orElseThrow();
  }

  /** One added file of this name. */
  public static List<BucketChange> changes(String name) {
    DataFile file = DataFiles.named(name).rows(1).build();
    return List.of(
        new BucketChange(
            BinaryRow.EMPTY, 0, -1, FileChanges.added(List.of(file)), FileChanges.NONE));
  }
}
