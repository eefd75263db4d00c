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

import static io.keylake.table.maintenance.CheckedTable.deleted;
import static io.keylake.table.maintenance.CheckedTable.key;
import static io.keylake.table.maintenance.CheckedTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.snapshot.Tag;
import io.keylake.format.stats.ColumnStats;
import io.keylake.table.TestTables;
import io.keylake.table.maintenance.CheckedTable.Row;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sound table has no problem, and every kind of defect is found when it is planted. */
final class TableCheckTest {
  private static final int K0 = key(0, 0);
  private static final int K1 = key(0, 1);
  private static final int K2 = key(0, 2);
  private static final int K3 = key(0, 3);
  private static final int OTHER = key(1, 0);

  private static final Row[] TOP = {row(K0, "x", 0), row(K1, "y", 1), row(K2, "z", 2)};
  private static final Row[] NEW = {deleted(K1, 3), row(K3, "w", 4)};

  @TempDir Path folder;

  private CheckedTable plain() {
    CheckedTable table = new CheckedTable(folder, Map.of("bucket", "2"));
    table.add(0, table.describe("top", TOP).level(5).build());
    table.add(0, table.describe("new", NEW).build());
    table.add(1, table.describe("other", row(OTHER, "o", 0)).build());
    return table;
  }

  private CheckedTable withVectors() {
    CheckedTable table =
        new CheckedTable(folder, Map.of("bucket", "2", "deletion-vectors.enabled", "true"));
    table.add(0, table.describe("top", TOP).level(5).build());
    table.add(0, table.describe("mid", row(K1, "m", 3)).level(4).build());
    table.add(0, table.describe("new", deleted(K2, 4)).build());
    table.vectors("index-1", Map.of("top", DeletionVector.of(1)));
    return table;
  }

  private CheckedTable dynamic() {
    CheckedTable table = new CheckedTable(folder, Map.of("bucket", "-1"));
    table.add(0, table.describe("zero", row(1, "x", 0), row(2, "y", 1)).build());
    table.add(1, table.describe("one", row(3, "z", 0)).build());
    table.hashes(0, "index-0", List.of(1, 2));
    table.hashes(1, "index-1", List.of(3, 4));
    return table;
  }

  /** Key 1 has moved from bucket 0 to bucket 1. */
  private CheckedTable crossing() {
    CheckedTable table = CheckedTable.crossing(folder);
    table.add(0, table.describe("zero", row(1, "x", 0), row(2, "y", 1)).level(5).build());
    table.add(0, table.describe("gone", deleted(1, 2)).build());
    table.add(1, table.describe("one", row(1, "z", 0)).build());
    return table;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void soundTableHasNoProblem(int which) {
    CheckedTable table =
        switch (which) {
          case 0 -> plain();
          case 1 -> withVectors();
          case 2 -> dynamic();
          default -> crossing();
        };
    assertThat(table.problems()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void plantedDefectIsFound(Kind kind) {
    CheckedTable table = planted(kind);
    assertThat(table.problems())
        .extracting(TableProblem::kind)
        .contains(kind)
        .isSubsetOf(
            Stream.concat(Stream.of(kind), consequences(kind).stream())
                .collect(Collectors.toSet()));
  }

  private static Set<Kind> consequences(Kind defect) {
    return switch (defect) {
      case METADATA_UNREADABLE, FILE_ADDED_TWICE, FILE_REMOVED_TWICE -> Set.of(Kind.RECORD_COUNT);
      case LEVEL_OVERLAP -> Set.of(Kind.VERSION_ORDER);
      case INDEX_RECORD -> Set.of(Kind.TWO_LIVE_VERSIONS);
      default -> Set.of();
    };
  }

  private CheckedTable planted(Kind kind) {
    return switch (kind) {
      case SCHEMA_MISSING,
          METADATA_UNREADABLE,
          MANIFEST_RECORD,
          RECORD_COUNT,
          FILE_ADDED_TWICE,
          FILE_REMOVED_TWICE,
          FILE_MISSING,
          FILE_SIZE,
          LEVEL_RANGE,
          LEVEL_OVERLAP,
          BUCKET_COUNT ->
          inMetadata(plain(), kind);
      case INDEX_TWICE,
          INDEX_RECORD,
          VECTOR_WITHOUT_FILE,
          VECTOR_TWICE,
          VECTOR_RANGE,
          VECTOR_COUNT,
          TWO_LIVE_VERSIONS,
          RETRACT_ABOVE_LEVEL_ZERO ->
          inVectors(withVectors(), kind);
      case KEY_IN_TWO_PLACES -> {
        CheckedTable table = crossing();
        table.add(2, table.describe("again", row(1, "z", 9)).build());
        yield table;
      }
      case HASH_TWICE, HASH_IN_TWO_BUCKETS, HASH_MISSING -> inHashes(dynamic(), kind);
      case FILE_UNREADABLE,
          ROW_COUNT,
          KEY_ORDER,
          KEY_BOUNDS,
          SEQUENCE_BOUNDS,
          DELETE_COUNT,
          STATISTICS,
          WRONG_PARTITION,
          WRONG_BUCKET,
          VERSION_ORDER ->
          inRows(plain(), kind);
    };
  }

  private static CheckedTable inMetadata(CheckedTable table, Kind kind) {
    DataFile top = table.entries.get(0).file();
    switch (kind) {
      case SCHEMA_MISSING -> table.schemaId = 7;
      case METADATA_UNREADABLE ->
          table.manifestRecord =
              record -> {
                TestTables.LOCAL.delete(table.storage.layout().manifest(record.name()));
                return record;
              };
      case MANIFEST_RECORD -> table.manifestRecord = TableCheckTest::withOtherLevels;
      case RECORD_COUNT -> table.extraRecords = 3;
      case FILE_ADDED_TWICE -> table.entries.add(table.entries.get(0));
      case FILE_REMOVED_TWICE -> {
        DataFile gone = table.describe("gone", TOP).build();
        table.entries.add(
            0, new ManifestEntry(EntryKind.DELETE, CheckedTable.PARTITION, 0, 2, gone));
      }
      case FILE_MISSING -> TestTables.LOCAL.delete(table.path(0, top));
      case FILE_SIZE -> TestTables.LOCAL.overwrite(table.path(0, top), new byte[8]);
      case LEVEL_RANGE -> table.describeAnew(0, top.withLevel(6));
      case LEVEL_OVERLAP ->
          table.describeAnew(0, table.describe("new", row(K1, "d", 3)).level(5).build());
      case BUCKET_COUNT -> {
        table.totalBuckets = 4;
        table.describeAnew(0, table.describe("new", row(fourthOf(0), "w", 4)).build());
      }
      default -> throw new IllegalArgumentException(kind.toString());
    }
    return table;
  }

  /** A key of a bucket of four. */
  private static int fourthOf(int bucket) {
    int key = 1;
    while (Math.abs(CheckedTable.hash(key) % 4) != bucket) {
      key++;
    }
    return key;
  }

  private static ManifestFile withOtherLevels(ManifestFile record) {
    return new ManifestFile(
        record.name(),
        record.size(),
        record.addedFiles(),
        record.deletedFiles(),
        record.partitionStats(),
        record.schemaId(),
        record.minBucket(),
        record.maxBucket(),
        record.minLevel(),
        4,
        record.minRowId(),
        record.maxRowId());
  }

  private static CheckedTable inVectors(CheckedTable table, Kind kind) {
    IndexFile index = table.indexes.get(0).file();
    switch (kind) {
      case INDEX_TWICE -> table.vectors("index-2", Map.of());
      case INDEX_RECORD -> {
        table.indexes.clear();
        byte[] content = TestTables.LOCAL.read(table.indexPath(0, index));
        content[5]++;
        table.index(0, index, content);
      }
      case VECTOR_WITHOUT_FILE -> {
        table.indexes.clear();
        table.vectors("index-2", Map.of("top", DeletionVector.of(1), "gone", DeletionVector.of(1)));
      }
      case VECTOR_TWICE -> {
        DeletionVectorRef ref = refs(index).get(0);
        replace(table, index, List.of(ref, ref));
      }
      case VECTOR_RANGE -> {
        table.indexes.clear();
        table.vectors("index-2", Map.of("top", DeletionVector.of(1, 3)));
      }
      case VECTOR_COUNT -> {
        DeletionVectorRef ref = refs(index).get(0);
        replace(
            table,
            index,
            List.of(new DeletionVectorRef(ref.dataFile(), ref.offset(), ref.length(), 2L)));
      }
      case TWO_LIVE_VERSIONS -> table.indexes.clear();
      case RETRACT_ABOVE_LEVEL_ZERO ->
          table.describeAnew(0, table.describe("mid", deleted(K1, 3)).level(4).build());
      default -> throw new IllegalArgumentException(kind.toString());
    }
    return table;
  }

  private static List<DeletionVectorRef> refs(IndexFile index) {
    List<DeletionVectorRef> refs = index.deletionVectors();
    assertThat(refs).isNotNull();
    return refs == null ? List.of() : refs;
  }

  private static void replace(CheckedTable table, IndexFile index, List<DeletionVectorRef> refs) {
    IndexEntry entry = table.indexes.remove(0);
    byte[] content = TestTables.LOCAL.read(table.indexPath(entry.bucket(), index));
    table.index(0, new DeletionVectorFile(content, refs).toIndexFile(index.name()), content);
  }

  private static CheckedTable inHashes(CheckedTable table, Kind kind) {
    table.indexes.remove(1);
    switch (kind) {
      case HASH_TWICE -> table.hashes(1, "index-2", List.of(3, 4, 4));
      case HASH_IN_TWO_BUCKETS -> table.hashes(1, "index-2", List.of(3, 2));
      case HASH_MISSING -> table.hashes(1, "index-2", List.of(4));
      default -> throw new IllegalArgumentException(kind.toString());
    }
    return table;
  }

  private static CheckedTable inRows(CheckedTable table, Kind kind) {
    BinaryRow no = BinaryRowCodec.of(table.schema.keyType()).encode(List.of(-1));
    switch (kind) {
      case FILE_UNREADABLE -> table.forget("top");
      case ROW_COUNT -> table.describeAnew(0, table.describe("new", NEW).rows(3).build());
      case KEY_ORDER ->
          table.describeAnew(0, table.describe("top", TOP[1], TOP[0], TOP[2]).level(5).build());
      case KEY_BOUNDS ->
          table.describeAnew(
              0, table.describe("new", NEW).keys(no, table.entries.get(1).file().maxKey()).build());
      case SEQUENCE_BOUNDS ->
          table.describeAnew(0, table.describe("new", NEW).sequence(3, 5).build());
      case DELETE_COUNT -> table.describeAnew(0, table.describe("new", NEW).deletes(0L).build());
      case STATISTICS ->
          table.describeAnew(
              0, table.describe("new", NEW).keyStats(new ColumnStats(no, no, List.of(0L))).build());
      case WRONG_PARTITION -> {
        table.describeAnew(0, table.describe("new", NEW).valueStats(ColumnStats.EMPTY).build());
        table.storePartition("new", "b");
      }
      case WRONG_BUCKET -> table.describeAnew(0, table.describe("new", row(OTHER, "w", 4)).build());
      case VERSION_ORDER ->
          table.describeAnew(0, table.describe("new", deleted(K1, 0), row(K3, "w", 4)).build());
      default -> throw new IllegalArgumentException(kind.toString());
    }
    return table;
  }

  @Test
  void equalNumbersOfOneKeyOnLevelZeroAreAProblemAboveItTheyAreNot() {
    CheckedTable table = plain();
    table.describeAnew(0, table.describe("new", row(K1, "same", 1), row(K3, "w", 4)).build());
    assertThat(table.problems()).isEmpty();
    CheckedTable twins = new CheckedTable(folder.resolve("twins"), Map.of("bucket", "2"));
    twins.add(0, twins.describe("one", row(K1, "a", 1)).build());
    twins.add(0, twins.describe("two", row(K1, "b", 1)).build());
    assertThat(twins.problems()).extracting(TableProblem::kind).containsExactly(Kind.VERSION_ORDER);
  }

  @Test
  void sideFilesHaveToExist() {
    CheckedTable table = plain();
    table.describeAnew(0, table.describe("new", NEW).extraFiles(List.of("new.index")).build());
    assertThat(table.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.detail()).contains("new.index"))
        .extracting(TableProblem::kind)
        .isEqualTo(Kind.FILE_MISSING);
  }

  @Test
  void statisticsOfTextMayBeTruncatedButNotCutOffTheRows() {
    CheckedTable table = plain();
    table.describeAnew(0, truncated(table, "ab", "ac", 0));
    assertThat(table.problems()).isEmpty();
    assertThat(withStatistics("ac", "ac", 0)).singleElement().asString().contains("v is at least");
    assertThat(withStatistics("aa", "ac", 0)).singleElement().asString().contains("v is at least");
    assertThat(withStatistics("ab", "aa", 0)).singleElement().asString().contains("v is at most");
    assertThat(withStatistics("ab", "ac", 1)).singleElement().asString().contains("NULLs");
  }

  private List<TableProblem> withStatistics(String min, String max, long nulls) {
    CheckedTable table = new CheckedTable(folder.resolve(min + max + nulls), Map.of("bucket", "2"));
    table.add(0, truncated(table, min, max, nulls));
    return table.problems();
  }

  private static DataFile truncated(CheckedTable table, String min, String max, long nulls) {
    BinaryRowCodec codec = BinaryRowCodec.of(table.schema.rowType());
    return table
        .describe("new", row(K1, "abc", 3), row(K3, "abd", 4))
        .valueStats(
            new ColumnStats(
                codec.encode(Arrays.asList("a", K1, min)),
                codec.encode(Arrays.asList("a", K3, max)),
                List.of(0L, 0L, nulls)))
        .build();
  }

  @Test
  void tagsAreCheckedWithAllSnapshots() {
    CheckedTable table = plain();
    TestTables.LOCAL.delete(table.path(1, table.entries.get(2).file()));
    table.publish();
    var snapshot = table.storage.snapshots().latest().orElseThrow();
    table.storage.tags().write(new Tag("kept", snapshot, null, null));
    assertThat(new TableCheck(table.storage, table.schema, table).everything())
        .as("once, though the tag names the same snapshot")
        .hasSize(1);
    TestTables.LOCAL.delete(table.storage.snapshots().file(1));
    assertThat(new TableCheck(table.storage, table.schema, table).newest()).isEmpty();
    assertThat(new TableCheck(table.storage, table.schema, table).everything()).hasSize(1);
  }
}
