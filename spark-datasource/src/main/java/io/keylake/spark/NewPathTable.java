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
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.DataField;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.LakeTable;
import io.keylake.table.evolution.TableDefinition;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.KnownOptions;
import java.time.Clock;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table that a write to a path makes: columns from the rows, partition columns from {@code
 * partitionBy} (in the save modes that only create), the primary key and all else from the options.
 * It exists, without rows, from when the write is planned. A read that finds it instead of a table
 * fails when it asks what the table can do.
 */
final class NewPathTable implements SupportsRead, SupportsWrite {
  /** Options that are about one write whatever the table. */
  private static final Set<String> OF_WRITE =
      Set.of(
          CommitKeys.TXN_APP.name(),
          CommitKeys.TXN_VERSION.name(),
          CommitKeys.LOST_FENCE.name(),
          CommitKeys.WATERMARK_COLUMN.name(),
          CommitKeys.WATERMARK_DELAY.name());

  private final TableStorage storage;
  private final StructType columns;
  private final Transform[] partitioning;

  /**
   * @param columns of the rows; none when they are not known before the write
   */
  NewPathTable(TableStorage storage, StructType columns, Transform[] partitioning) {
    this.storage = storage;
    this.columns = columns;
    this.partitioning = partitioning.clone();
  }

  @Override
  public String name() {
    return storage.name();
  }

  @Override
  public Column[] columns() {
    return columns(columns);
  }

  private static Column[] columns(StructType type) {
    return Arrays.stream(type.fields())
        .map(field -> Column.create(field.name(), field.dataType(), field.nullable()))
        .toArray(Column[]::new);
  }

  @Override
  public Transform[] partitioning() {
    return partitioning.clone();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return new WriteOnly(
        () -> SparkErrors.toSpark(TableVersion.missing(TableName.ofPath(storage.name()), storage)));
  }

  /**
   * What a write may ask for. A reader, which asks for BATCH_READ or MICRO_BATCH_READ, is told that
   * there is no table.
   */
  private static final class WriteOnly extends AbstractSet<TableCapability> {
    private static final Set<TableCapability> ALL =
        EnumSet.of(
            TableCapability.BATCH_WRITE,
            TableCapability.STREAMING_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.OVERWRITE_DYNAMIC,
            TableCapability.ACCEPT_ANY_SCHEMA);

    private final Supplier<RuntimeException> missing;

    WriteOnly(Supplier<RuntimeException> missing) {
      this.missing = missing;
    }

    @Override
    public boolean contains(Object capability) {
      if (capability == TableCapability.BATCH_READ
          || capability == TableCapability.MICRO_BATCH_READ) {
        throw missing.get();
      }
      return ALL.contains(capability);
    }

    @Override
    public Iterator<TableCapability> iterator() {
      return ALL.iterator();
    }

    @Override
    public int size() {
      return ALL.size();
    }
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap scanOptions) {
    throw SparkErrors.toSpark(TableVersion.missing(TableName.ofPath(storage.name()), storage));
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return SparkErrors.translating(() -> made(info)).newWriteBuilder(info);
  }

  /** A streaming query asks once for each of its micro-batches: the first makes the table. */
  private KeylakeTable made(LogicalWriteInfo info) {
    return storage.schemas().latestId().isPresent()
        ? new KeylakeTable(TableVersion.newest(TableName.ofPath(storage.name()), storage), Map.of())
        : create(info);
  }

  private KeylakeTable create(LogicalWriteInfo info) {
    if (!storage.layout().isMainBranch()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "There is no branch " + storage.layout().branch() + " of " + storage.name() + ".");
    }
    List<DataField> fields =
        SparkTypes.toFields(columns(columns.isEmpty() ? info.schema() : columns));
    List<String> partitions = new ArrayList<>();
    for (Transform transform : partitioning) {
      if (!transform.name().equals("identity")) {
        throw new UnsupportedTableException(
            Condition.KEYLAKE_UNSUPPORTED_FEATURE,
            "Table "
                + storage.name()
                + " cannot be partitioned by "
                + transform.describe()
                + ": partitions are equal values of columns. Add a column with that value.");
      }
      partitions.add(transform.references()[0].fieldNames()[0]);
    }
    TableSchema schema =
        new TableDefinition(fields, partitions, List.of(), storedOptions(info.options()), null)
            .create(storage.name(), Clock.systemUTC());
    LakeTable made =
        LakeTable.create(storage.name(), storage.io(), storage.layout().root(), schema);
    return new KeylakeTable(
        TableVersion.newest(TableName.ofPath(storage.name()), made.storage()), Map.of());
  }

  /** Options that say what the table is; others are about this write only. */
  private static Map<String, String> storedOptions(CaseInsensitiveStringMap options) {
    Map<String, String> stored = new HashMap<>();
    options
        .asCaseSensitiveMap()
        .forEach(
            (key, value) -> {
              boolean ofTable =
                  KnownOptions.find(key).isPresent()
                      && !key.equals("path")
                      && !OF_WRITE.contains(key)
                      && !key.startsWith("scan.");
              if (ofTable) {
                stored.put(key, value);
              }
            });
    return stored;
  }
}
