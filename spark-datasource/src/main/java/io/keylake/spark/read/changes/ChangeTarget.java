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

package io.keylake.spark.read.changes;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.ReadConf;
import io.keylake.spark.conf.TableName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a table that a statement reads.
 *
 * @param name the table
 * @param storage its files, on the branch that is read
 * @param schema the columns that the statement sees: the newest ones
 * @param newest the newest snapshot that a batch sees; null when the table has none
 * @param conf settings
 * @param extent which changes
 * @param form with which columns
 * @param streams what reads them as a stream
 */
public record ChangeTarget(
    TableName name,
    TableStorage storage,
    TableSchema schema,
    @Nullable Snapshot newest,
    ReadConf conf,
    ChangeExtent extent,
    ChangeForm form,
    ChangeStreams streams) {

  /** What tells this read apart from every other read of changes. */
  List<Object> identity() {
    return Arrays.asList(
        storage.layout().branchFolder(),
        schema.id(),
        newest == null ? 0L : newest.id(),
        newest == null ? "" : newest.deltaManifestList(),
        extent,
        form,
        conf.scan());
  }

  /** For plan texts. */
  String describe() {
    String branch = storage.layout().isMainBranch() ? "" : ", branch=" + storage.layout().branch();
    return "Keylake " + name.text() + branch + " " + extent.describe(conf.options());
  }
}
