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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.metadata.MetadataSource;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.TimeTravelOptions;
import io.keylake.table.scan.TimeTravel;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;

/**
 * One version of a table, as a statement sees it from beginning to end.
 *
 * @param name the table
 * @param storage its files, on the branch that is seen
 * @param schema the columns: the newest ones, or those of an older version that was asked for
 * @param snapshot the rows; null when there are none yet
 * @param choice how the version was chosen
 */
public record TableVersion(
    TableName name,
    TableStorage storage,
    TableSchema schema,
    @Nullable Snapshot snapshot,
    Choice choice) {
  /** How a version was chosen. */
  public enum Choice {
    /** The newest one: it can be written to. */
    NEWEST,
    /** One that the user named. */
    NAMED
  }

  /**
   * The newest version.
   *
   * @throws InvalidRequestException when there is no table
   */
  public static TableVersion newest(TableName name, TableStorage storage) {
    TableSchema schema = storage.schemas().latest().orElseThrow(() -> missing(name, storage));
    return new TableVersion(
        name, storage, schema, storage.snapshots().latest().orElse(null), Choice.NEWEST);
  }

  static InvalidRequestException missing(TableName name, TableStorage storage) {
    return new InvalidRequestException(
        Condition.KEYLAKE_REFERENCE_NOT_FOUND,
        "There is no table "
            + name.text()
            + ": "
            + storage.layout().schemaFolder()
            + " holds no schema. Check the name or the path, or create it.");
  }

  /** The version of a tag, or else of a snapshot id: {@code VERSION AS OF}. */
  public static TableVersion of(TableName name, TableStorage storage, String version) {
    return named(name, storage, new TimeTravel(storage).byVersion(version));
  }

  /** The version of a point in time: {@code TIMESTAMP AS OF}. */
  public static TableVersion at(TableName name, TableStorage storage, long timestampMicros) {
    long millis = Math.floorDiv(timestampMicros, 1000L);
    return named(name, storage, new TimeTravel(storage).atTimestamp(millis));
  }

  /** The version that options choose; the newest when they choose none. */
  public static TableVersion chosen(
      TableName name, TableStorage storage, TimeTravelOptions options) {
    return options.isLatest()
        ? newest(name, storage)
        : named(name, storage, snapshot(storage, options).orElseThrow());
  }

  static Optional<Snapshot> snapshot(TableStorage storage, TimeTravelOptions options) {
    ZoneId zone = ZoneId.of(SQLConf.get().sessionLocalTimeZone(), ZoneId.SHORT_IDS);
    return new TimeTravel(storage).choose(options, zone);
  }

  private static TableVersion named(TableName name, TableStorage storage, Snapshot snapshot) {
    TableSchema schema = storage.schemas().load(snapshot.schemaId());
    return new TableVersion(name, storage, schema, snapshot, Choice.NAMED);
  }

  /** Its metadata files. */
  public MetadataSource metadata() {
    return new MetadataSource(name.text(), storage, schema, snapshot);
  }

  /** Commits changes that were made from this version. */
  TableCommitter committer() {
    return new TableCommitter(
        new CommitTable(storage, schema, TableOptions.of(schema)), CommitEnvironment.system());
  }

  /** What tells this version apart from all others of the table. */
  String text() {
    return snapshot == null
        ? "0:" + schema.id()
        : snapshot.id() + ":" + schema.id() + ":" + snapshot.deltaManifestList();
  }
}
