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

package io.keylake.spark.transfer;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.layout.DataFileNames;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.FileChanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.PartitioningUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Makes an append table of the Parquet or ORC files of a table of Spark's session catalog.
 *
 * <ol>
 *   <li>The footer of every file is read first. A column of the table has the same name and type in
 *       a file, or is missing in it and then NULL; a file that has none of the columns, or one of
 *       another type or letter case, is refused before anything is made.
 *   <li>Files are copied as they are, under new names, into bucket 0 of their partition. Values of
 *       partition columns come from the catalog or the folders' names.
 *   <li>Statistics of columns come from the footers, where those have them.
 *   <li>One commit makes all of them visible.
 * </ol>
 *
 * <p>Rule source: table format, append tables; pinned by {@code MigrateProcedureSparkTest}.
 */
public final class Migration {
  private final SparkSession session;
  private final SourceTable source;
  private final Configuration configuration;
  private final List<Footer> footers;

  private Migration(SparkSession session, SourceTable source) {
    this.session = session;
    this.source = source;
    this.configuration = session.sessionState().newHadoopConf();
    this.footers = footers();
  }

  /**
   * Looks at a table and its files.
   *
   * @param type {@code hive}, {@code parquet} or {@code orc}
   * @throws InvalidRequestException KEYLAKE_INVALID_REQUEST when a file does not fit
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_TYPE when a column has a type that tables
   *     cannot have
   */
  public static Migration plan(SparkSession session, TableIdentifier table, String type) {
    SourceTable source = SourceTable.find(session, table, type);
    for (StructField column : source.columns().fields()) {
      SparkTypes.toFormat(column.name(), column.dataType());
    }
    return new Migration(session, source);
  }

  /** All columns of the new table. */
  public StructType columns() {
    StructType all = source.columns();
    for (StructField field : source.partitions().fields()) {
      all = all.add(field);
    }
    return all;
  }

  /** The names of its partition columns. */
  public List<String> partitionColumns() {
    return List.of(source.partitions().fieldNames());
  }

  /** The format of its files. */
  public String format() {
    return source.format();
  }

  /** The comment of the table; null = none. */
  public @Nullable String comment() {
    return source.comment();
  }

  /** Number of its files. */
  public long files() {
    return source.files().size();
  }

  /** Bytes of its files. */
  public long bytes() {
    return source.files().stream().mapToLong(SourceTable.SourceFile::bytes).sum();
  }

  /** Number of its rows. */
  public long rows() {
    return footers.stream().mapToLong(Footer::rows).sum();
  }

  private List<Footer> footers() {
    Footer.Reader reader =
        source.format().equals("orc")
            ? new OrcFooters(configuration)
            : new ParquetFooters(configuration);
    List<String> misfits = reader.misfits(source.columns());
    if (!misfits.isEmpty()) {
      throw refuse(
          "columns "
              + misfits
              + " cannot be taken over from "
              + source.format()
              + " files without rewriting them. Use INSERT INTO ... SELECT instead.");
    }
    return source.files().parallelStream().map(file -> footer(reader, file)).toList();
  }

  private Footer footer(Footer.Reader reader, SourceTable.SourceFile file) {
    Footer footer;
    try {
      footer = reader.read(file.location().path(), file.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the footer of " + file.location(), e);
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot migrate "
              + source.name()
              + ": "
              + file.location()
              + " is no "
              + source.format()
              + " file. Nothing was done.",
          e);
    }
    check(file, footer);
    return footer;
  }

  private void check(SourceTable.SourceFile file, Footer footer) {
    int found = 0;
    for (StructField column : source.columns().fields()) {
      for (StructField stored : footer.columns().fields()) {
        if (!stored.name().equalsIgnoreCase(column.name())) {
          continue;
        }
        boolean same =
            stored.name().equals(column.name()) && isSame(stored.dataType(), column.dataType());
        if (!same) {
          throw refuse(
              "file "
                  + file.location()
                  + " has the column "
                  + stored.name()
                  + " "
                  + stored.dataType().sql()
                  + ", the table has "
                  + column.name()
                  + " "
                  + column.dataType().sql()
                  + ".");
        }
        found++;
      }
    }
    if (found == 0 && source.columns().length() > 0) {
      throw refuse(
          "file "
              + file.location()
              + " has none of the table's columns, but "
              + List.of(footer.columns().fieldNames())
              + ".");
    }
  }

  private static boolean isSame(DataType stored, DataType wanted) {
    return stored.asNullable().equals(wanted.asNullable());
  }

  private InvalidRequestException refuse(String reason) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "Cannot migrate " + source.name() + ": " + reason + " Nothing was done.");
  }

  /**
   * Copies the files into a new, empty table and commits them.
   *
   * @param clock tells the time and the zone
   */
  public void into(LakeTable target, int parallelism, Clock clock, Ids ids) {
    DataFileNames names = new DataFileNames(ids);
    Map<BinaryRow, List<DataFile>> added = new LinkedHashMap<>();
    List<FileCopies.Copy> copies = new ArrayList<>();
    for (int i = 0; i < source.files().size(); i++) {
      SourceTable.SourceFile file = source.files().get(i);
      if (footers.get(i).rows() == 0) {
        continue;
      }
      BinaryRow partition = partition(target.schema().partitionType(), file);
      String name = names.next(DataFileNames.DATA_PREFIX, source.format());
      DataFile made = dataFile(target, name, file.bytes(), footers.get(i), clock);
      added.computeIfAbsent(partition, key -> new ArrayList<>()).add(made);
      copies.add(
          new FileCopies.Copy(
              file.location().path(),
              target.addresses().dataFile(partition, 0, made).path(),
              file.bytes()));
    }
    FileCopies.run(session.sparkContext(), configuration, copies, parallelism);
    List<BucketChange> changes = new ArrayList<>();
    added.forEach(
        (partition, files) ->
            changes.add(
                new BucketChange(partition, 0, -1, FileChanges.added(files), FileChanges.NONE)));
    target
        .committer(CommitEnvironment.system())
        .commit(CommitRequest.batch(target.newCommitUser(ids), changes));
  }

  private BinaryRow partition(RowType type, SourceTable.SourceFile file) {
    ZoneId zone = ZoneId.of(session.sessionState().conf().sessionLocalTimeZone());
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < type.size(); i++) {
      DataField field = type.field(i);
      String text = file.partition().get(i);
      Object value =
          text == null
              ? null
              : PartitioningUtils.castPartValueToDesiredType(
                  SparkTypes.toSpark(field.name(), field.type()), text, zone);
      values.add(PartitionRows.toFormat(value, field.type()));
    }
    return BinaryRowCodec.of(type).encode(values);
  }

  private static DataFile dataFile(
      LakeTable target, String name, long bytes, Footer footer, Clock clock) {
    List<String> columns = new ArrayList<>();
    List<DataField> fields = new ArrayList<>();
    List<@Nullable Object> mins = new ArrayList<>();
    List<@Nullable Object> maxs = new ArrayList<>();
    List<@Nullable Long> nulls = new ArrayList<>();
    for (DataField field : target.schema().fields()) {
      Footer.Range range = footer.ranges().get(field.name());
      if (range != null && !target.schema().partitionKeys().contains(field.name())) {
        columns.add(field.name());
        fields.add(field);
        mins.add(PartitionRows.toFormat(range.min(), field.type()));
        maxs.add(PartitionRows.toFormat(range.max(), field.type()));
        nulls.add(range.nulls());
      }
    }
    BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(fields));
    long created =
        LocalDateTime.ofInstant(Instant.ofEpochMilli(clock.millis()), clock.getZone())
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    return new DataFile(
        name,
        bytes,
        footer.rows(),
        BinaryRow.EMPTY,
        BinaryRow.EMPTY,
        ColumnStats.EMPTY,
        new ColumnStats(codec.encode(mins), codec.encode(maxs), nulls),
        0,
        footer.rows() - 1,
        target.schema().id(),
        0,
        List.of(),
        created,
        0L,
        null,
        FileSource.APPEND,
        columns,
        null,
        null,
        null);
  }
}
