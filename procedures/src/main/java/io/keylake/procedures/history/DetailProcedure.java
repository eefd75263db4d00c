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

import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.KeylakeTable;
import io.keylake.table.reference.LiveEntries;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.detail(table => 't')}: one row that tells of a table, in the columns that users
 * of Delta know.
 */
record DetailProcedure() implements TableProcedure {
  @Override
  public String name() {
    return "detail";
  }

  @Override
  public String description() {
    return "Tells where a table is, how large it is and which properties it has.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.detail(table => 'db.t')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(Parameters.table());
  }

  @Override
  public StructType result() {
    DataType text = DataTypes.StringType;
    DataType texts = DataTypes.createArrayType(text, false);
    return new StructType()
        .add("format", text, false)
        .add("id", text, false)
        .add("name", text, false)
        .add("description", text, true)
        .add("location", text, false)
        .add("createdAt", DataTypes.TimestampType, false)
        .add("lastModified", DataTypes.TimestampType, false)
        .add("partitionColumns", texts, false)
        .add("primaryKeyColumns", texts, false)
        .add("numFiles", DataTypes.LongType, false)
        .add("sizeInBytes", DataTypes.LongType, false)
        .add("properties", DataTypes.createMapType(text, text), false)
        .add("snapshotId", DataTypes.LongType, true)
        .add("schemaId", DataTypes.LongType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    KeylakeTable table = arguments.table(Parameters.TABLE);
    TableStorage storage = table.pinned().storage();
    TableSchema schema = table.pinned().schema();
    Snapshot snapshot = table.pinned().snapshot();
    List<ManifestEntry> files =
        snapshot == null ? List.of() : LiveEntries.of(storage, snapshot, StatsProjection.SKIP);
    return List.of(
        ResultRow.of(
            "keylake",
            table.id(),
            table.name(),
            schema.comment(),
            storage.layout().root().path(),
            micros(storage.schemas().load(0).timeMillis()),
            micros(lastModified(schema, snapshot)),
            ResultRow.list(schema.partitionKeys()),
            ResultRow.list(schema.primaryKeys()),
            (long) files.size(),
            files.stream().mapToLong(entry -> entry.file().size()).sum(),
            ResultRow.map(table.properties()),
            snapshot == null ? null : Long.valueOf(snapshot.id()),
            schema.id()));
  }

  private static long lastModified(TableSchema schema, @Nullable Snapshot snapshot) {
    return snapshot == null
        ? schema.timeMillis()
        : Math.max(schema.timeMillis(), snapshot.timeMillis());
  }

  private static long micros(long millis) {
    return Math.multiplyExact(millis, 1000L);
  }
}
