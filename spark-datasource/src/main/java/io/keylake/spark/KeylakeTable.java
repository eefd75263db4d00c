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
import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.conf.ReadConf;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.metadata.MetadataTables;
import io.keylake.spark.read.ReadTarget;
import io.keylake.spark.read.RowMetadata;
import io.keylake.spark.read.changes.ChangeForm;
import io.keylake.spark.rowlevel.RowLevelOperations;
import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.rowlevel.replace.ReplacedRows;
import io.keylake.spark.schema.ColumnEvolution;
import io.keylake.spark.schema.ColumnEvolution.Casts;
import io.keylake.spark.schema.SchemaChanges;
import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.spark.write.stream.JobIdentity;
import io.keylake.spark.write.stream.SinkProgress;
import io.keylake.table.evolution.ExistsDefaults;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.CountedColumns;
import io.keylake.table.options.support.OptionChanges;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchPartitionException;
import org.apache.spark.sql.catalyst.analysis.PartitionsAlreadyExistException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsAtomicPartitionManagement;
import org.apache.spark.sql.connector.catalog.SupportsDeleteV2;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsSchemaEvolution;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableChange.ColumnChange;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.ReportsSinkMetrics;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * A table as Spark sees it: one pinned version. Spark loads it anew for each statement, so all
 * references of a statement see the same rows and columns. Immutable, but for what a streaming
 * query tells of its epochs.
 */
public final class KeylakeTable
    implements SupportsRead,
        SupportsWrite,
        SupportsRowLevelOperations,
        SupportsMetadataColumns,
        SupportsAtomicPartitionManagement,
        SupportsDeleteV2,
        SupportsSchemaEvolution,
        ReportsSinkMetrics {
  /** The name of the read-optimized view among the metadata tables. */
  public static final String READ_OPTIMIZED = "ro";

  /** The name of the table of changes among the metadata tables. */
  public static final String AUDIT_LOG = "audit_log";

  /** The name of the table of changes with old and new values side by side. */
  public static final String BINLOG = "binlog";

  /** Row-level statements see every committed row, also where other reads pass over some. */
  private static final CaseInsensitiveStringMap ALL_ROWS =
      new CaseInsensitiveStringMap(Map.of(ScanKeys.VISIBILITY.name(), "committed"));

  private final TableVersion version;
  private final Map<String, String> extraProperties;
  private final Casts casts;
  private final Map<String, String> rowLevelOptions;
  private final UnaryOperator<Column[]> columns;
  private final SinkProgress sinkProgress = new SinkProgress();

  /**
   * A table.
   *
   * @param version what a statement sees of it
   * @param extraProperties shown beside the table's options, such as {@code owner} and {@code
   *     location}
   */
  public KeylakeTable(TableVersion version, Map<String, String> extraProperties) {
    this(version, extraProperties, Casts.WIDENING, UnaryOperator.identity(), Map.of());
  }

  private KeylakeTable(
      TableVersion version,
      Map<String, String> extraProperties,
      Casts casts,
      UnaryOperator<Column[]> columns,
      Map<String, String> rowLevelOptions) {
    this.version = version;
    this.extraProperties = Map.copyOf(extraProperties);
    this.casts = casts;
    this.columns = columns;
    this.rowLevelOptions = Map.copyOf(rowLevelOptions);
  }

  /** The same table, whose columns take the types of written rows wherever a cast exists. */
  public KeylakeTable withExplicitCasts() {
    return new KeylakeTable(version, extraProperties, Casts.EXPLICIT, columns, rowLevelOptions);
  }

  /** The same table as target of one DELETE, UPDATE or MERGE, for which Spark has no options. */
  public KeylakeTable withRowLevelOptions(Map<String, String> options) {
    return new KeylakeTable(version, extraProperties, casts, columns, options);
  }

  /** The same table as streams have it: CHAR and VARCHAR are STRING, which Spark insists on. */
  public KeylakeTable streamed() {
    return new KeylakeTable(version, extraProperties, casts, SparkTypes::asRead, rowLevelOptions);
  }

  /** The options that hold for a statement: its own, those of the session, those of the table. */
  public Map<String, String> effectiveOptions(CaseInsensitiveStringMap statement) {
    return TableOptions.of(version.schema(), SessionOptions.overrides(version.name(), statement))
        .asMap();
  }

  /** The version that is seen. */
  public TableVersion pinned() {
    return version;
  }

  /** The metadata table of this name, of the same version; empty when there is none. */
  public Optional<Table> metadataTable(String name) {
    return switch (name) {
      case READ_OPTIMIZED -> Optional.of(new ReadOptimizedTable(this));
      case AUDIT_LOG -> Optional.of(new ChangeTable(this, name() + "$" + name, ChangeForm.AUDIT));
      case BINLOG -> Optional.of(new ChangeTable(this, name() + "$" + name, ChangeForm.BINLOG));
      default -> MetadataTables.find(version.metadata(), name);
    };
  }

  /** The changes of the table, which the options of a read choose: {@code readChangeFeed}. */
  public Table changeFeed() {
    return new ChangeTable(this, name(), ChangeForm.CHANGES);
  }

  /** Whether the options of a read ask for every change with its kind: {@code read.changelog}. */
  public static boolean asksForChangelog(CaseInsensitiveStringMap options) {
    return options.getBoolean(ScanKeys.READ_CHANGELOG.name(), false);
  }

  /** Whether the options of a read ask for {@link #changeFeed} instead of the table. */
  public static boolean asksForChangeFeed(CaseInsensitiveStringMap options) {
    return TableChanges.isChangeFeed(options);
  }

  /** The changes that {@code CHANGES} asks for. */
  public Changelog changelog(ChangelogContext context, CaseInsensitiveStringMap options) {
    return SparkErrors.translating(() -> new TableChanges(this).changelog(context, options));
  }

  @Override
  public String name() {
    return version.name().text();
  }

  @Override
  public String id() {
    return SparkErrors.translating(
        () -> {
          long created = version.storage().schemas().load(0).timeMillis();
          return version.storage().layout().branchFolder() + "@" + created;
        });
  }

  @Override
  public String version() {
    return version.text();
  }

  @Override
  public Column[] columns() {
    return SparkErrors.translating(
        () -> columns.apply(SparkTypes.toColumns(version.schema().fields())));
  }

  @Override
  public Transform[] partitioning() {
    return version.schema().partitionKeys().stream()
        .map(ColumnReferences::identity)
        .toArray(Transform[]::new);
  }

  @Override
  public Map<String, String> properties() {
    Map<String, String> properties = CountedColumns.shown(version.schema().options());
    properties.remove("path");
    properties.keySet().removeIf(ExistsDefaults::isKept);
    properties.putAll(extraProperties);
    if (version.schema().comment() != null) {
      properties.put("comment", version.schema().comment());
    }
    return properties;
  }

  @Override
  public Constraint[] constraints() {
    TableSchema schema = version.schema();
    if (!schema.hasPrimaryKey()) {
      return new Constraint[0];
    }
    NamedReference[] columns =
        schema.primaryKeys().stream().map(ColumnReferences::column).toArray(NamedReference[]::new);
    return new Constraint[] {
      Constraint.primaryKey(version.name().table() + "_pk", columns).enforced(false).build()
    };
  }

  @Override
  public Set<TableCapability> capabilities() {
    if (version.choice() == TableVersion.Choice.NAMED) {
      return EnumSet.of(TableCapability.BATCH_READ);
    }
    Set<TableCapability> capabilities =
        EnumSet.of(
            TableCapability.BATCH_READ,
            TableCapability.MICRO_BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.OVERWRITE_BY_FILTER,
            TableCapability.OVERWRITE_DYNAMIC);
    if (CommitKeys.AUTO_SCHEMA_EVOLUTION.read(version.schema().options())) {
      capabilities.add(TableCapability.AUTOMATIC_SCHEMA_EVOLUTION);
    }
    return capabilities;
  }

  @Override
  public boolean supportsColumnChange(ColumnChange change) {
    return SparkErrors.translating(
        () -> {
          Map<String, String> options = effectiveOptions(CaseInsensitiveStringMap.empty());
          boolean explicit =
              casts == Casts.EXPLICIT || CommitKeys.MERGE_SCHEMA_EXPLICIT_CAST.read(options);
          return new ColumnEvolution(
                  name(),
                  version.schema(),
                  SchemaChanges.history(version.storage()),
                  explicit ? Casts.EXPLICIT : Casts.WIDENING)
              .allows(change);
        });
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return RowMetadata.columns(version.schema());
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> {
          TableChanges changes = new TableChanges(this);
          changes.checkPlainColumns(options);
          return changes.isIncremental(options)
              ? changes.scan(ChangeForm.ROWS, options)
              : TableScans.builder(this, options);
        });
  }

  private void checkOptions(CaseInsensitiveStringMap statement) {
    OptionChanges.checkStatement(
        version.schema(),
        SessionOptions.overrides(version.name(), statement),
        version.name().text());
  }

  /** Where a streaming query that writes to the table notes what it does. */
  SinkProgress sinkProgress() {
    return sinkProgress;
  }

  @Override
  public Map<String, String> metrics() {
    return sinkProgress.metrics();
  }

  /** What a scan with these options reads. */
  ReadTarget target(CaseInsensitiveStringMap options, ReadTarget.View view) {
    checkOptions(options);
    ReadConf conf = ReadConf.of(version.name(), version.schema(), options);
    switch (view) {
      case MERGED -> conf.check(version.schema());
      case COMPACTED, TOP_LEVEL -> {}
    }
    TableVersion read =
        new OptionVersions(version).chosen(conf.options().asMap(), conf.timeTravel());
    return new ReadTarget(
        version.name(), read.storage(), read.schema(), read.snapshot(), view, conf);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return SparkErrors.translating(
        () -> EpochTable.builder(this, info).orElseGet(() -> batchBuilder(info)));
  }

  private WriteBuilder batchBuilder(LogicalWriteInfo info) {
    WriteTarget target = writeTarget(info.options());
    return new KeylakeWriteBuilder(
        target,
        info,
        (condition, rows) ->
            new ReplacedRows(new RowLevelTarget(rowLevelTarget(), target)).write(condition, rows));
  }

  private WriteTarget writeTarget(CaseInsensitiveStringMap statement) {
    TableOptions options =
        TableOptions.of(version.schema(), SessionOptions.overrides(version.name(), statement));
    new OptionVersions(version).checkWrite(options.asMap());
    checkOptions(statement);
    Functions functions =
        version.name().catalog().isEmpty() ? Functions.NONE : Functions.FROM_CATALOG;
    return new WriteTarget(
        version.name(),
        version.storage(),
        version.schema(),
        options,
        functions,
        version.snapshot(),
        JobIdentity.of(options, name()));
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    return () ->
        SparkErrors.translating(
            () ->
                RowLevelOperations.of(
                    new RowLevelTarget(
                        rowLevelTarget(), writeTarget(rowLevelOptions(info.options()))),
                    info.command()));
  }

  private CaseInsensitiveStringMap rowLevelOptions(CaseInsensitiveStringMap statement) {
    Map<String, String> all = new HashMap<>(rowLevelOptions);
    all.putAll(statement.asCaseSensitiveMap());
    return new CaseInsensitiveStringMap(all);
  }

  /** The newest version, whatever version the session's options choose for reads. */
  private ReadTarget rowLevelTarget() {
    ReadConf conf = ReadConf.of(version.name(), version.schema(), ALL_ROWS);
    conf.check(version.schema());
    return new ReadTarget(
        version.name(),
        version.storage(),
        version.schema(),
        version.snapshot(),
        ReadTarget.View.MERGED,
        conf);
  }

  /**
   * Only conditions that select whole partitions need no rows to be read, unless the changelog has
   * to tell of each row ({@code delete.force-produce-changelog}).
   */
  @Override
  public boolean canDeleteWhere(Predicate[] conditions) {
    boolean tellsRows =
        version.schema().hasPrimaryKey()
            && EngineKeys.DELETE_FORCES_CHANGELOG.read(version.schema().options());
    return !tellsRows && new PartitionCommands(version).canDelete(conditions);
  }

  @Override
  public void deleteWhere(Predicate[] conditions) {
    new PartitionCommands(version).delete(conditions);
  }

  @Override
  public boolean truncateTable() {
    return new PartitionCommands(version).truncateTable();
  }

  @Override
  public StructType partitionSchema() {
    return SparkTypes.toSpark(version.schema().partitionType());
  }

  @Override
  public void createPartitions(InternalRow[] partitions, Map<String, String>[] properties)
      throws PartitionsAlreadyExistException {
    new PartitionCommands(version).create(partitions, properties);
  }

  @Override
  public boolean dropPartitions(InternalRow[] partitions) {
    return new PartitionCommands(version).drop(partitions);
  }

  @Override
  public boolean renamePartition(InternalRow from, InternalRow to)
      throws NoSuchPartitionException, PartitionsAlreadyExistException {
    new PartitionCommands(version).rename(from, to);
    return true;
  }

  @Override
  public boolean truncatePartition(InternalRow partition) {
    return new PartitionCommands(version).drop(new InternalRow[] {partition});
  }

  @Override
  public boolean truncatePartitions(InternalRow[] partitions) {
    return new PartitionCommands(version).drop(partitions);
  }

  @Override
  public void replacePartitionMetadata(InternalRow partition, Map<String, String> properties) {
    throw SparkErrors.failure(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        "Partitions of " + name() + " have no properties. Set properties of the table instead.");
  }

  @Override
  public Map<String, String> loadPartitionMetadata(InternalRow partition) {
    return Map.of();
  }

  @Override
  public InternalRow[] listPartitionIdentifiers(String[] names, InternalRow values) {
    return new PartitionCommands(version).list(names, values);
  }

  /** Spark's cache finds the rows of a version again by equality. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeylakeTable that
        && version.name().equals(that.version.name())
        && folder().equals(that.folder())
        && version.schema().equals(that.version.schema())
        && Objects.equals(version.snapshot(), that.version.snapshot())
        && version.choice() == that.version.choice();
  }

  private Location folder() {
    return version.storage().layout().branchFolder();
  }

  @Override
  public int hashCode() {
    return Objects.hash(version.name(), version.schema().id(), version.snapshot());
  }

  @Override
  public String toString() {
    return name();
  }
}
