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

package io.keylake.spark.read;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.ReadConf;
import io.keylake.spark.conf.TableName;
import io.keylake.table.options.TableOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one version of a table that a statement reads, with the settings of the read.
 *
 * @param name the table
 * @param storage its files, on the branch that is read
 * @param schema the columns the statement sees
 * @param snapshot the version; null when the table has none
 * @param view which of its rows
 * @param conf settings
 */
public record ReadTarget(
    TableName name,
    TableStorage storage,
    TableSchema schema,
    @Nullable Snapshot snapshot,
    View view,
    ReadConf conf) {
  /** Which rows of the version are read. */
  public enum View {
    /** All of them, merged, as {@code scan.visibility} says. */
    MERGED,
    /** What compaction has reached: of a table with a primary key no row of level 0. */
    COMPACTED,
    /** What lies at the top level of a table with a primary key, without merging. */
    TOP_LEVEL
  }

  /** The options that hold for the read. */
  TableOptions options() {
    return switch (view) {
      case MERGED -> conf.options();
      case COMPACTED, TOP_LEVEL -> {
        Map<String, String> values = new HashMap<>(conf.options().asMap());
        values.put("scan.visibility", "compacted");
        yield TableOptions.of(schema, values);
      }
    };
  }

  /** What tells this version apart from every other version of every table. */
  List<Object> identity() {
    return Arrays.asList(
        storage.layout().branchFolder(),
        schema.id(),
        snapshot == null ? 0L : snapshot.id(),
        snapshot == null ? "" : snapshot.deltaManifestList(),
        view,
        conf.scan());
  }

  /** For plan texts. */
  String describe() {
    String version = snapshot == null ? "empty" : "snapshot=" + snapshot.id();
    String branch = storage.layout().isMainBranch() ? "" : ", branch=" + storage.layout().branch();
    String rows =
        switch (view) {
          case MERGED -> "";
          case COMPACTED -> ", compacted";
          case TOP_LEVEL -> ", top level";
        };
    return "Keylake " + name.text() + " " + version + branch + rows;
  }
}
