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

package io.keylake.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.paimon.Snapshot;
import org.apache.paimon.append.AppendCompactCoordinator;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.index.HashBucketAssigner;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.options.Options;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.apache.paimon.table.sink.TableCommitImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.EndOfScanException;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.system.AuditLogTable;
import org.apache.paimon.types.RowKind;

/**
 * A table as the reference implementation sees it: the oracle of the format. Rows are lines of
 * canonical JSON, sorted by their UTF-8 bytes. All kinds of buckets are written, read and
 * compacted; a write to a postpone table stages its rows, a compaction puts them into buckets.
 */
public final class ReferenceTable {
  private final Catalog catalog;
  private final Identifier identifier;
  private final String user;

  private ReferenceTable(Catalog catalog, Identifier identifier) {
    this.catalog = catalog;
    this.identifier = identifier;
    this.user = "reference";
  }

  /** The table {@code database.name} of a warehouse; it need not exist yet. */
  public static ReferenceTable of(String warehouse, String database, String name) {
    Options options = new Options();
    options.set("warehouse", warehouse);
    options.set("cache-enabled", "false");
    return new ReferenceTable(
        CatalogFactory.createCatalog(CatalogContext.create(options)),
        Identifier.create(database, name));
  }

  /** Creates the table, and its database when it is missing. */
  public void create(Schema schema) throws Exception {
    catalog.createDatabase(identifier.getDatabaseName(), true);
    catalog.createTable(identifier, schema, false);
  }

  /** The library's own handle, fresh from disk. */
  public FileStoreTable load(Map<String, String> options) throws Exception {
    FileStoreTable table = (FileStoreTable) catalog.getTable(identifier);
    return options.isEmpty() ? table : table.copy(options);
  }

  /** Appends rows, each a JSON object with an optional {@code _kind}. */
  public void write(List<String> rows) throws Exception {
    FileStoreTable table = load(Map.of());
    long commit = nextIdentifier(table);
    List<CommitMessage> messages;
    try (IOManager io = io();
        TableWriteImpl<?> write = table.newWrite(user)) {
      write.withIOManager(io);
      List<GenericRow> moving = new ArrayList<>();
      RowWriter target =
          switch (table.bucketMode()) {
            case HASH_DYNAMIC -> assigned(table, write);
            case KEY_DYNAMIC -> moving::add;
            default -> write::write;
          };
      for (String row : rows) {
        JsonNode json = ReferenceValues.MAPPER.readTree(row);
        GenericRow values = ReferenceValues.row(json, table.rowType());
        if (json.has("_kind")) {
          values.setRowKind(RowKind.fromShortString(json.get("_kind").asText()));
        }
        target.write(values);
      }
      if (table.bucketMode() == BucketMode.KEY_DYNAMIC) {
        ReferenceKeyRouting.write(table, write, io, moving);
      }
      messages = write.prepareCommit(true, commit);
    }
    commit(table, commit, messages);
  }

  private interface RowWriter {
    void write(GenericRow row) throws Exception;
  }

  private RowWriter assigned(FileStoreTable table, TableWriteImpl<?> write) {
    HashBucketAssigner assigner =
        new HashBucketAssigner(
            table.snapshotManager(),
            user,
            table.store().newIndexFileHandler(),
            1,
            1,
            0,
            table.coreOptions().dynamicBucketTargetRowNum(),
            table.coreOptions().dynamicBucketMaxBuckets());
    RowKeyExtractor keys = table.createRowKeyExtractor();
    return row -> {
      keys.setRecord(row);
      write.write(row, assigner.assign(keys.partition(), keys.trimmedPrimaryKey().hashCode()));
    };
  }

  /** Compacts every bucket into its top level, or small files of a table without buckets. */
  public void compactFully() throws Exception {
    compact(true);
  }

  /** Lets each bucket compact what its policy picks. */
  public void compactIfDue() throws Exception {
    compact(false);
  }

  private void compact(boolean fully) throws Exception {
    FileStoreTable table = load(new HashMap<>(Map.of("write-only", "false")));
    if (table.bucketMode() == BucketMode.BUCKET_UNAWARE) {
      compactSmallFiles(table);
      return;
    }
    if (table.bucketMode() == BucketMode.POSTPONE_MODE) {
      List<CommitMessage> messages = ReferenceStagedMove.messages(table, user, fully);
      // Committed as to a table with buckets, or the files would be looked for in bucket -2.
      commit(table.copy(Map.of("bucket", "1")), nextIdentifier(table), messages);
      return;
    }
    long commit = nextIdentifier(table);
    List<CommitMessage> messages;
    try (IOManager io = io();
        TableWriteImpl<?> write = table.newWrite(user)) {
      write.withIOManager(io);
      for (BucketEntry bucket : table.newSnapshotReader().bucketEntries()) {
        write.compact(bucket.partition(), bucket.bucket(), fully);
      }
      messages = write.prepareCommit(true, commit);
    }
    commit(table, commit, messages);
  }

  private void compactSmallFiles(FileStoreTable table) throws Exception {
    List<CommitMessage> messages = new ArrayList<>();
    BaseAppendFileStoreWrite write = (BaseAppendFileStoreWrite) table.store().newWrite(user);
    try {
      for (AppendCompactTask task : new AppendCompactCoordinator(table, false).run()) {
        messages.add(task.doCompact(table, write));
      }
    } catch (EndOfScanException e) {
      return;
    } finally {
      write.close();
    }
    if (!messages.isEmpty()) {
      commit(table, nextIdentifier(table), messages);
    }
  }

  /**
   * Marks rows of an append table in deletion vectors.
   *
   * @param deleted tells by its canonical text whether a row goes
   */
  public void delete(Predicate<String> deleted) throws Exception {
    FileStoreTable table = load(Map.of());
    commit(
        table,
        nextIdentifier(table),
        new ReferenceDelete(table).messages(row -> deleted.test(text(row, table))));
  }

  private static String text(InternalRow row, FileStoreTable table) {
    return ReferenceValues.out(row, table.rowType());
  }

  private void commit(FileStoreTable table, long commit, List<CommitMessage> messages)
      throws Exception {
    try (TableCommitImpl committer = table.newCommit(user)) {
      committer.commit(commit, messages);
    }
  }

  private long nextIdentifier(FileStoreTable table) {
    return table
        .snapshotManager()
        .latestSnapshotOfUser(user)
        .map(snapshot -> snapshot.commitIdentifier() + 1)
        .orElse(1L);
  }

  /** Expires all but the newest snapshots. */
  public void expire(int kept) throws Exception {
    load(Map.of())
        .newExpireSnapshots()
        .config(
            ExpireConfig.builder()
                .snapshotRetainMin(kept)
                .snapshotRetainMax(kept)
                .snapshotTimeRetain(Duration.ZERO)
                .build())
        .expire();
  }

  /** All rows of the latest snapshot. */
  public List<String> rows() throws Exception {
    return rows(Map.of());
  }

  /** All rows as seen with these options, such as {@code scan.snapshot-id}. */
  public List<String> rows(Map<String, String> options) throws Exception {
    return rows(load(options));
  }

  /**
   * The rows of all changelog files after a snapshot, each with its kind as {@code rowkind}, as far
   * as this library follows a changelog: overwrites are passed over.
   *
   * @param after the id of a snapshot, or 0
   */
  public List<String> changesAfter(long after) throws Exception {
    Long latest = load(Map.of()).snapshotManager().latestSnapshotId();
    if (latest == null || latest <= after) {
      return List.of();
    }
    Map<String, String> range =
        Map.of(
            "incremental-between",
            after + "," + latest,
            "incremental-between-scan-mode",
            "changelog");
    return rows(new AuditLogTable(load(range)));
  }

  private static List<String> rows(Table table) throws Exception {
    ReadBuilder builder = table.newReadBuilder();
    List<String> lines = new ArrayList<>();
    try (IOManager io = io()) {
      for (Split split : builder.newScan().plan().splits()) {
        RecordReader<InternalRow> reader = builder.newRead().withIOManager(io).createReader(split);
        try (RecordReaderIterator<InternalRow> rows = new RecordReaderIterator<>(reader)) {
          while (rows.hasNext()) {
            lines.add(ReferenceValues.out(rows.next(), table.rowType()));
          }
        }
      }
    }
    lines.sort(ReferenceValues::compareUtf8);
    return lines;
  }

  /** All rows of the latest snapshot with their ids and sequence numbers, where it tracks them. */
  public List<String> trackedRows() throws Exception {
    Table table =
        catalog.getTable(
            Identifier.create(
                identifier.getDatabaseName(), identifier.getTableName() + "$row_tracking"));
    return rows(table);
  }

  /**
   * What is wrong with the table: every snapshot, manifest, data file, statistic and key is
   * checked. Empty when it is sound.
   */
  public List<String> problems() throws Exception {
    ReferenceCheck check = new ReferenceCheck(load(Map.of()), "");
    check.run(true);
    return check.problems;
  }

  static IOManager io() {
    return IOManager.create(System.getProperty("java.io.tmpdir"));
  }

  static List<Snapshot> snapshots(FileStoreTable table) throws Exception {
    List<Snapshot> snapshots = new ArrayList<>();
    Iterator<Snapshot> all = table.snapshotManager().snapshots();
    while (all.hasNext()) {
      snapshots.add(all.next());
    }
    snapshots.sort(Comparator.comparingLong(Snapshot::id));
    return snapshots;
  }
}
