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

package io.keylake.procedures.history;

import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.transfer.TableRestore;
import io.keylake.table.changes.ChangeRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.history(table => 't' [, limit => 10])}: the versions of a table, the newest
 * first, in the columns that users of Delta know.
 */
record HistoryProcedure() implements TableProcedure {
  private static final String LIMIT = "limit";
  private static final String PRIVATE_PREFIX = "keylake.";

  @Override
  public String name() {
    return "history";
  }

  @Override
  public String description() {
    return "Lists the versions of a table, the newest first: when, by whom and by what each was"
        + " made.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.history(table => 'db.t', limit => 10)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(LIMIT, DataTypes.LongType, "how many versions; all unless given"));
  }

  @Override
  public StructType result() {
    DataType texts = DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType);
    return new StructType()
        .add("version", DataTypes.LongType, false)
        .add("timestamp", DataTypes.TimestampType, false)
        .add("userId", DataTypes.StringType, false)
        .add("operation", DataTypes.StringType, false)
        .add("operationParameters", texts, false)
        .add("readVersion", DataTypes.LongType, true)
        .add("isBlindAppend", DataTypes.BooleanType, false)
        .add("operationMetrics", texts, false)
        .add("schemaId", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    long limit = arguments.optionalLong(LIMIT).orElse(Long.MAX_VALUE);
    if (limit < 1) {
      throw arguments.invalid("limit is " + limit + ". Give it a value of at least 1.");
    }
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    List<Long> ids = new ArrayList<>(storage.snapshots().ids());
    Collections.reverse(ids);
    return ids.stream()
        .limit(limit)
        .map(storage.snapshots()::find)
        .flatMap(Optional::stream)
        .map(snapshot -> row(storage, snapshot))
        .toList();
  }

  private static InternalRow row(TableStorage storage, Snapshot snapshot) {
    return ResultRow.of(
        snapshot.id(),
        Math.multiplyExact(snapshot.timeMillis(), 1000L),
        snapshot.commitUser(),
        operation(snapshot),
        ResultRow.map(parameters(snapshot)),
        snapshot.id() == 1 ? null : Long.valueOf(snapshot.id() - 1),
        snapshot.commitKind() == CommitKind.APPEND && !ChangeRules.isStatement(snapshot),
        ResultRow.map(metrics(storage, snapshot)),
        snapshot.schemaId());
  }

  /** The statement where it is known, or else what Delta calls such a commit. */
  private static String operation(Snapshot snapshot) {
    String statement = snapshot.properties().get(Snapshot.OPERATION);
    if (statement != null) {
      return statement;
    }
    return switch (snapshot.commitKind()) {
      case APPEND -> isOfStream(snapshot) ? "STREAMING UPDATE" : "WRITE";
      case OVERWRITE -> "WRITE";
      case COMPACT -> "OPTIMIZE";
      case ANALYZE -> "COMPUTE STATS";
    };
  }

  private static boolean isOfStream(Snapshot snapshot) {
    return snapshot.commitIdentifier() != Snapshot.BATCH_IDENTIFIER;
  }

  private static Map<String, String> parameters(Snapshot snapshot) {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("commitKind", snapshot.commitKind().name());
    if (isOfStream(snapshot)) {
      parameters.put("commitIdentifier", Long.toString(snapshot.commitIdentifier()));
    }
    put(parameters, "watermark", snapshot.watermark());
    put(parameters, "version", snapshot.properties().get(TableRestore.RESTORED_SNAPSHOT));
    snapshot.properties().entrySet().stream()
        .filter(property -> !property.getKey().startsWith(PRIVATE_PREFIX))
        .forEach(property -> parameters.put(property.getKey(), property.getValue()));
    return parameters;
  }

  private static Map<String, String> metrics(TableStorage storage, Snapshot snapshot) {
    Map<String, String> metrics = new TreeMap<>();
    List<ManifestFile> delta = storage.deltaManifests(snapshot);
    put(metrics, "numAddedFiles", delta.stream().mapToLong(ManifestFile::addedFiles).sum());
    put(metrics, "numRemovedFiles", delta.stream().mapToLong(ManifestFile::deletedFiles).sum());
    put(metrics, "numDeltaRows", snapshot.deltaRecordCount());
    put(metrics, "numTotalRows", snapshot.totalRecordCount());
    put(metrics, "numChangelogRows", snapshot.changelogRecordCount());
    if (snapshot.commitKind() == CommitKind.APPEND) {
      put(metrics, "numOutputRows", snapshot.deltaRecordCount());
    }
    return metrics;
  }

  private static void put(Map<String, String> values, String name, @Nullable Object value) {
    if (value != null) {
      values.put(name, value.toString());
    }
  }
}
