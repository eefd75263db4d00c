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

package io.keylake.table.maintenance;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.row.RowHash;
import io.keylake.format.schema.SchemaStore;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.SortedRun;
import io.keylake.table.maintenance.TableProblem.Kind;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the rows of a bucket: each file by itself, and for each key its versions in all
 * sorted runs, merged by key so that one row of each run is in memory.
 *
 * <ol>
 *   <li>A version in a newer run has no smaller sequence number than one in an older run; on level
 *       0 a larger one.
 *   <li>With deletion vectors, at most one version above level 0 is not deleted, and none takes a
 *       row away.
 *   <li>With a hash index, the hash of every key is in it.
 * </ol>
 */
final class RowsCheck {
  private record Version(int level, long sequenceNumber, boolean isLive, boolean isRetract) {}

  private final SchemaStore schemas;
  private final FileAddresses addresses;
  private final TableSchema schema;
  private final TableCheck.Rows rows;
  private final Problems problems;
  private final Map<Long, RowShape> shapes = new HashMap<>();
  private final boolean withVectors;
  private final boolean withHashes;
  private final @Nullable KeyPlaces keyPlaces;

  RowsCheck(
      SchemaStore schemas,
      FileAddresses addresses,
      TableSchema schema,
      TableCheck.Rows rows,
      Problems problems) {
    this.schemas = schemas;
    this.addresses = addresses;
    this.schema = schema;
    this.rows = rows;
    this.problems = problems;
    this.withVectors = schema.hasPrimaryKey() && TableOptions.of(schema).merge().deletionVectors();
    this.keyPlaces =
        BucketMode.of(schema) instanceof BucketMode.CrossPartition ? new KeyPlaces(schema) : null;
    this.withHashes = BucketMode.of(schema) instanceof BucketMode.Dynamic;
  }

  void changelog(ManifestEntry entry) {
    all(entry, schema.hasPrimaryKey() ? FileRows.Order.KEYS : FileRows.Order.NONE);
  }

  /** Goes through a bucket; returns its keys where a key is found once in the table. */
  KeyPlaces.Keys bucket(
      List<ManifestEntry> files, int number, IndexCheck.Indexes indexes, String place) {
    KeyPlaces.Keys keys = new KeyPlaces.Keys();
    if (schema.hasPrimaryKey() && number >= 0) {
      new Merge(files, indexes, keys, place).run();
    } else {
      files.forEach(entry -> all(entry, FileRows.Order.NONE));
    }
    return keys;
  }

  private void all(ManifestEntry entry, FileRows.Order order) {
    if (entry.file().writeColumns() != null) {
      return;
    }
    problems.guard(
        Kind.FILE_UNREADABLE,
        "file " + entry.file().name(),
        () -> {
          try (FileRows file = open(entry, order)) {
            boolean more = file.next();
            while (more) {
              more = file.next();
            }
          }
        });
  }

  private FileRows open(ManifestEntry entry, FileRows.Order order) {
    DataFile file = entry.file();
    RowShape shape = shapes.computeIfAbsent(file.schemaId(), id -> new RowShape(schemas.load(id)));
    return new FileRows(
        shape,
        entry,
        rows.open(
            addresses.dataFile(entry.partition(), entry.bucket(), file),
            file,
            schemas.load(file.schemaId())),
        order,
        problems);
  }

  /** The versions of all keys of a bucket. */
  private final class Merge {
    private final Map<String, ManifestEntry> entries = new HashMap<>();
    private final IndexCheck.Indexes indexes;
    private final KeyPlaces.Keys keys;
    private final BinaryRow partition;
    private final String place;
    private final KeyComparator order = KeyComparator.of(schema.keyType());
    private final List<Run> runs = new ArrayList<>();
    private long misordered;
    private long twiceLive;
    private long retracting;
    private long unindexed;

    Merge(
        List<ManifestEntry> files, IndexCheck.Indexes indexes, KeyPlaces.Keys keys, String place) {
      this.keys = keys;
      this.partition = files.isEmpty() ? BinaryRow.EMPTY : files.get(0).partition();
      files.forEach(entry -> entries.put(entry.file().name(), entry));
      this.indexes = indexes;
      this.place = place;
      List<SortedRun> sorted =
          Levels.of(files.stream().map(ManifestEntry::file).toList(), order).runs();
      for (int rank = 0; rank < sorted.size(); rank++) {
        runs.add(new Run(rank, sorted.get(rank)));
      }
    }

    void run() {
      try {
        PriorityQueue<Run> queue =
            new PriorityQueue<>(
                Comparator.comparing(Run::key, order).thenComparingInt(run -> run.rank));
        runs.stream().filter(Run::next).forEach(queue::add);
        while (!queue.isEmpty()) {
          key(queue);
        }
      } finally {
        runs.forEach(Run::close);
      }
      report(Kind.VERSION_ORDER, misordered, "keys have an older version in a newer run");
      report(
          Kind.TWO_LIVE_VERSIONS, twiceLive, "keys have two versions that are not marked deleted");
      report(Kind.RETRACT_ABOVE_LEVEL_ZERO, retracting, "rows above level 0 take a row away");
      report(Kind.HASH_MISSING, unindexed, "keys are not in the bucket's hash index");
    }

    private void report(Kind kind, long count, String what) {
      if (count > 0) {
        problems.add(kind, place, count + " " + what);
      }
    }

    /** Takes all versions of the smallest key off the queue. */
    private void key(PriorityQueue<Run> queue) {
      Run run = queue.remove();
      BinaryRow key = run.key();
      List<Version> versions = new ArrayList<>();
      versions.add(version(run));
      List<Run> same = new ArrayList<>(List.of(run));
      while (!queue.isEmpty() && order.compare(queue.element().key(), key) == 0) {
        Run next = queue.remove();
        versions.add(version(next));
        same.add(next);
      }
      judge(key, versions);
      same.stream().filter(Run::next).forEach(queue::add);
    }

    private Version version(Run run) {
      FileRows file = run.current();
      DeletionVector vector = indexes.vectors().get(file.entry().file().name());
      boolean deleted = vector != null && vector.isDeleted(file.position());
      int level = file.entry().file().level();
      if (withVectors && level > 0 && !deleted && file.isRetract()) {
        retracting++;
      }
      return new Version(level, file.sequenceNumber(), !deleted, file.isRetract());
    }

    private void judge(BinaryRow key, List<Version> versions) {
      for (int i = 1; i < versions.size(); i++) {
        Version newer = versions.get(i - 1);
        Version older = versions.get(i);
        boolean strictly = older.level() == 0;
        if (newer.sequenceNumber() < older.sequenceNumber()
            || (strictly && newer.sequenceNumber() == older.sequenceNumber())) {
          misordered++;
        }
      }
      long live =
          versions.stream().filter(version -> version.level() > 0 && version.isLive()).count();
      twiceLive += withVectors && live > 1 ? 1 : 0;
      if (keyPlaces != null && isPresent(versions)) {
        keys.add(keyPlaces.hash(partition, key));
      }
      if (withHashes) {
        int[] hashes = indexes.hashes();
        boolean known = hashes != null && Arrays.binarySearch(hashes, RowHash.murmur(key)) >= 0;
        unindexed += known ? 0 : 1;
      }
    }

    /** Whether the newest version that is not marked deleted is a row. */
    private boolean isPresent(List<Version> versions) {
      return versions.stream()
          .filter(Version::isLive)
          .findFirst()
          .filter(version -> !version.isRetract())
          .isPresent();
    }

    /** The rows of one sorted run, file after file. */
    private final class Run {
      private final int rank;
      private final Deque<DataFile> files;
      private @Nullable FileRows current;

      Run(int rank, SortedRun run) {
        this.rank = rank;
        this.files = new ArrayDeque<>(run.files());
      }

      boolean next() {
        while (current != null || !files.isEmpty()) {
          DataFile file = files.peek();
          try {
            if (current == null && file != null) {
              current = open(entry(file), FileRows.Order.UNIQUE_KEYS);
            }
            if (current != null && current.next()) {
              return true;
            }
          } catch (CorruptTableException e) {
            problems.add(
                Kind.FILE_UNREADABLE, file == null ? place : "file " + file.name(), e.getMessage());
          }
          close();
          files.poll();
        }
        return false;
      }

      private ManifestEntry entry(DataFile file) {
        ManifestEntry entry = entries.get(file.name());
        if (entry == null) {
          throw new IllegalStateException("No entry of " + file.name());
        }
        return entry;
      }

      FileRows current() {
        if (current == null) {
          throw new IllegalStateException("The run has no current row");
        }
        return current;
      }

      BinaryRow key() {
        return current().key();
      }

      void close() {
        if (current != null) {
          current.close();
          current = null;
        }
      }
    }
  }
}
