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
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.schema.SchemaChanges;
import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.spark.write.stream.EpochWriteBuilder;
import io.keylake.spark.write.stream.JobIdentity;
import io.keylake.spark.write.stream.MicroBatch;
import io.keylake.spark.write.stream.QueryColumns;
import io.keylake.spark.write.stream.SinkProgress;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.OptionChanges;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.ResolveSchemaEvolution$;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableChange.ColumnChange;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The table as one micro-batch of a streaming query writes it. Spark resolves the table once, when
 * the query starts: here each batch sees its newest columns and options.
 *
 * <ol>
 *   <li>With {@code write.merge-schema} columns of the query that the table lacks are added, and
 *       types widened, before the rows are written.
 *   <li>{@code full-compaction.delta-commits} = n: the batches 0-based b with (b+1) a multiple of n
 *       compact fully what they write. {@code compaction.delta-commits} likewise for compaction of
 *       any kind.
 * </ol>
 *
 * Rule source: table format, full-compaction. Pinned by {@code StreamSinkSparkTest}.
 */
final class EpochTable {
  /** The name of the option in writes of frames. */
  private static final String MERGE_SCHEMA = "mergeSchema";

  private final MicroBatch batch;
  private final LogicalWriteInfo info;
  private final KeylakeTable table;
  private final SinkProgress progress;
  private final TableOptions options;

  private EpochTable(
      MicroBatch batch, LogicalWriteInfo info, KeylakeTable table, SinkProgress progress) {
    this.batch = batch;
    this.info = info;
    this.table = table;
    this.progress = progress;
    TableVersion version = table.pinned();
    Map<String, String> overrides = overrides();
    OptionChanges.checkStatement(version.schema(), overrides, table.name());
    this.options = TableOptions.of(version.schema(), overrides);
    new OptionVersions(version).checkWrite(options.asMap());
  }

  private Map<String, String> overrides() {
    return SessionOptions.overrides(table.pinned().name(), info.options());
  }

  /** What a streaming query writes now; empty when the write is that of no such query. */
  static Optional<WriteBuilder> builder(KeylakeTable resolved, LogicalWriteInfo info) {
    return MicroBatch.of(info.queryId())
        .map(
            batch ->
                new EpochTable(batch, info, newest(resolved), resolved.sinkProgress())
                    .evolved()
                    .builder());
  }

  private static KeylakeTable newest(KeylakeTable resolved) {
    TableVersion version = resolved.pinned();
    return new KeylakeTable(TableVersion.newest(version.name(), version.storage()), Map.of());
  }

  private EpochTable evolved() {
    Map<String, String> effective = new HashMap<>(options.asMap());
    if (info.options().containsKey(MERGE_SCHEMA)) {
      effective.put(CommitKeys.MERGE_SCHEMA.name(), info.options().get(MERGE_SCHEMA));
    }
    if (!CommitKeys.MERGE_SCHEMA.read(effective)) {
      return this;
    }
    KeylakeTable target =
        CommitKeys.MERGE_SCHEMA_EXPLICIT_CAST.read(effective) ? table.withExplicitCasts() : table;
    StructType columns = CatalogV2Util.v2ColumnsToStructType(target.columns());
    TableChange[] changes =
        CollectionConverters.asJava(
                ResolveSchemaEvolution$.MODULE$.computeSchemaChanges(columns, info.schema(), true))
            .stream()
            .filter(
                change ->
                    change instanceof ColumnChange column && target.supportsColumnChange(column))
            .toArray(TableChange[]::new);
    if (changes.length == 0) {
      return this;
    }
    if (!target.capabilities().contains(TableCapability.AUTOMATIC_SCHEMA_EVOLUTION)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The streaming query has columns that table "
              + table.name()
              + " lacks, and the table has '"
              + CommitKeys.AUTO_SCHEMA_EVOLUTION.name()
              + "' = 'false'. Add the columns with ALTER TABLE, or change the option.");
    }
    TableVersion version = table.pinned();
    SchemaChanges.commit(
        version.storage(), version.schema(), table.constraints(), Clock.systemUTC(), changes);
    return new EpochTable(batch, info, newest(table), progress);
  }

  private WriteBuilder builder() {
    TableVersion version = table.pinned();
    QueryColumns query = new QueryColumns(table.name(), version.schema(), info.schema());
    boolean placed = query.placeRows(options.bucket().keys());
    TableSchema schema = ofEpoch();
    Map<String, String> overrides = overrides();
    if (!compactsFully()) {
      overrides.remove(CompactionKeys.FULL_DELTA_COMMITS.name());
    }
    WriteTarget target =
        new WriteTarget(
            version.name(),
            version.storage(),
            schema,
            TableOptions.of(schema, overrides),
            placed && !version.name().catalog().isEmpty() ? Functions.FROM_CATALOG : Functions.NONE,
            version.snapshot(),
            JobIdentity.of(batch, compaction()));
    return new EpochWriteBuilder(
        new KeylakeWriteBuilder(target, new TableRows(info, columns(version))),
        table,
        new EpochWriteBuilder.Parts(
            batch, query, options, version.schema().hasPrimaryKey(), progress));
  }

  private static StructType columns(TableVersion version) {
    return SparkTypes.toSpark(version.schema().rowType());
  }

  /** Whether every so many-th epoch is this one. */
  private boolean isTurn(int epochs) {
    return (batch.epoch() + 1) % epochs == 0;
  }

  private boolean compactsFully() {
    return options.compaction().fullness().afterCommit(batch.epoch());
  }

  private JobIdentity.Compaction compaction() {
    return compactsFully() || isTurn(CompactionKeys.DELTA_COMMITS.read(options.asMap()))
        ? JobIdentity.Compaction.BY_OPTIONS
        : JobIdentity.Compaction.LATER;
  }

  /** The definition of the table for this epoch: with the option a write compacts fully. */
  private TableSchema ofEpoch() {
    TableSchema schema = table.pinned().schema();
    if (compactsFully()) {
      return schema;
    }
    Map<String, String> others = new HashMap<>(schema.options());
    others.remove(CompactionKeys.FULL_DELTA_COMMITS.name());
    return new TableSchema(
        schema.version(),
        schema.id(),
        schema.fields(),
        schema.highestFieldId(),
        schema.partitionKeys(),
        schema.primaryKeys(),
        others,
        schema.comment(),
        schema.timeMillis(),
        schema.unknown());
  }

  /** The write of a query whose rows are those of the table. */
  private record TableRows(LogicalWriteInfo query, StructType schema) implements LogicalWriteInfo {
    @Override
    public CaseInsensitiveStringMap options() {
      return query.options();
    }

    @Override
    public String queryId() {
      return query.queryId();
    }
  }
}
