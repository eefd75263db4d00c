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

package io.keylake.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.fileio.Ids;
import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.rowlevel.rewrite.RewriteResult;
import io.keylake.spark.rowlevel.rewrite.RowRewrite;
import io.keylake.spark.testing.SoundTable;
import io.keylake.spark.testing.TableRows;
import io.keylake.spark.write.change.StatementCounts;
import io.keylake.table.LakeTable;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.options.MergeOptions.Engine;
import io.keylake.table.options.TableOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rows that replace those of their keys, in tables of every engine. Each table has, in every
 * bucket, a section of keys up to 35 with files of several levels, one of keys 50 to 59 and one of
 * keys 70 to 79, the last two of level 0 alone.
 */
final class RowRewriteOracleTest {
  @TempDir Path temp;
  private Path folder;
  private WriteTarget target;

  @BeforeEach
  void place() {
    folder = temp.resolve("t");
  }

  static List<Map<String, String>> tables() {
    List<Map<String, String>> engines =
        List.of(
            Map.of(),
            Map.of("sequence.field", "s"),
            Map.of("sequence.field", "s", "sequence.field.sort-order", "descending"),
            Map.of("merge-engine", "partial-update"),
            Map.of("merge-engine", "partial-update", "fields.s.sequence-group", "v"),
            Map.of("merge-engine", "aggregation", "fields.v.aggregate-function", "sum"));
    List<Map<String, String>> tables = new ArrayList<>();
    for (Map<String, String> engine : engines) {
      tables.add(with(engine, "bucket", "2"));
      tables.add(with(engine, "bucket", "-1", "deletion-vectors.enabled", "true"));
    }
    tables.add(with(engines.get(5), "bucket", "-1"));
    tables.add(with(engines.get(0), "bucket", "1", "deletion-vectors.enabled", "true"));
    tables.add(Map.of("bucket", "2", "merge-engine", "first-row"));
    tables.add(Map.of("bucket", "-1", "merge-engine", "first-row"));
    return tables;
  }

  private static Map<String, String> with(Map<String, String> options, String... more) {
    Map<String, String> all = new TreeMap<>(options);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private static TableSchema schema(Map<String, String> options) {
    return TestRows.schema(
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "op", DataTypes.STRING),
            DataField.of(2, "v", DataTypes.INT),
            DataField.of(3, "w", DataTypes.STRING),
            DataField.of(4, "s", DataTypes.INT)),
        List.of(),
        List.of("k"),
        options);
  }

  private static Row row(int k, String kind, int v, String w, int s) {
    return RowFactory.create(k, kind, v, w, s);
  }

  private static List<Row> rows(int from, int to, String w, int s) {
    return IntStream.range(from, to).mapToObj(k -> row(k, "+I", k, w, s)).toList();
  }

  private static String text(Row row) {
    return "{\"k\":%d,\"op\":\"%s\",\"v\":%d,\"w\":\"%s\",\"s\":%d}"
        .formatted(row.getInt(0), row.getString(1), row.getInt(2), row.getString(3), row.getInt(4));
  }

  private void create(Map<String, String> options) throws IOException {
    target = WriteFixture.create(folder, schema(with(options, "write-only", "true")));
    WriteFixture.append(target, rows(0, 30, "a", 5), 1);
    InlineCompaction.run(target, InlineCompaction.Extent.FULL, Long.MAX_VALUE);
    WriteFixture.append(target, rows(20, 36, "b", 7), 1);
    if (target.options().merge().hasOneRowAbove()) {
      InlineCompaction.run(target, InlineCompaction.Extent.MINOR, Long.MAX_VALUE);
    }
    WriteFixture.append(target, rows(22, 25, "c", 3), 1);
    WriteFixture.append(target, rows(50, 60, "d", 5), 1);
    WriteFixture.append(target, rows(70, 80, "e", 5), 1);
  }

  /** Files of these rows, of the kinds that column op has, which no snapshot names. */
  private List<BucketChange> overrides(Row... rows) {
    Map<String, String> options = new HashMap<>();
    options.put("rowkind.field", "op");
    options.put("write-only", "true");
    options.put("bucket", target.schema().options().get("bucket"));
    TableSchema plain = schema(options);
    return written(
        new WriteTarget(
            target.name(),
            target.storage(),
            plain,
            TableOptions.of(plain),
            WriteTarget.Functions.NONE),
        rows);
  }

  private static List<BucketChange> written(WriteTarget to, Row... rows) {
    List<BucketChange> changes = new ArrayList<>();
    KeylakeBatchWrite write = WriteFixture.batch(to, Replacement.NOTHING);
    for (WriterCommitMessage message : WriteFixture.run(write, to.schema(), List.of(rows), 1)) {
      changes.addAll(((BucketWriteMessage) message).changes());
    }
    return changes;
  }

  private RewriteResult commit(
      Snapshot base, List<BucketChange> records, List<BucketChange> overrides, Ids ids) {
    return new RowRewrite(
            WriteFixture.spark().sc(),
            target,
            table(folder).committer(CommitEnvironment.system()),
            ids,
            Clock.systemUTC())
        .commit(CommitRequest.batch("statement", records).basedOn(base), overrides);
  }

  private LakeTable table(Path place) {
    return LakeTable.find(WriteFixture.open(place, target.schema()).storage()).orElseThrow();
  }

  private Snapshot latest() {
    return target.storage().snapshots().latest().orElseThrow();
  }

  /** The rows as they are when everything has been compacted, by key. */
  private Map<Integer, String> compactedRows() throws IOException {
    Path copy = temp.resolve("copy");
    copyAll(folder, copy);
    WriteTarget copied = WriteFixture.open(copy, target.schema());
    InlineCompaction.run(copied, InlineCompaction.Extent.FULL, Long.MAX_VALUE);
    Map<Integer, String> rows = new TreeMap<>();
    for (String row : TableRows.of(table(copy))) {
      rows.put(Integer.valueOf(row.substring(row.indexOf(':') + 1, row.indexOf(','))), row);
    }
    return rows;
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      all.forEach(
          file -> {
            try {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private Set<String> liveNames() {
    Set<String> names = new HashSet<>();
    WriteFixture.files(target).forEach(entry -> names.add(entry.file().name()));
    return names;
  }

  private Set<String> liveNames(int from, int to) {
    Set<String> names = new HashSet<>();
    for (ManifestEntry entry : WriteFixture.files(target)) {
      if (key(entry.file().minKey()) >= from && key(entry.file().maxKey()) <= to) {
        names.add(entry.file().name());
      }
    }
    return names;
  }

  private int key(BinaryRow key) {
    return (Integer)
        Objects.requireNonNull(BinaryRowCodec.of(target.schema().keyType()).value(key, 0));
  }

  private void sameAsReference() throws Exception {
    List<String> ours = new ArrayList<>();
    TableRows.of(table(folder))
        .forEach(row -> ours.add(row.replaceAll("[{}\"]", "").replaceAll("[a-z]+:", "")));
    List<String> theirs = new ArrayList<>();
    ReferenceTable.open(folder).rows().forEach(row -> theirs.add(row.replaceAll("[\\[\\] ]", "")));
    assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void overridesReplaceRowsAndNothingElse(Map<String, String> options) throws Exception {
    create(options);
    Map<Integer, String> expected = compactedRows();
    Set<String> untouched = liveNames(50, 59);
    assertThat(untouched).isNotEmpty();
    Set<String> onDisk = new HashSet<>(WriteFixture.filesOnDisk(folder));
    Set<String> before = liveNames();
    Snapshot base = latest();
    Row updated = row(25, "+U", -25, "new", 1);
    Row late = row(72, "+U", -72, "new", 1);
    Row added = row(40, "+I", -40, "new", 1);
    Row again = row(3, "+I", -3, "again", 9);
    List<BucketChange> overrides =
        overrides(
            updated,
            late,
            added,
            row(3, "-D", 0, "", 0),
            row(31, "-D", 0, "", 0),
            row(41, "-D", 0, "", 0));
    RewriteResult result = commit(base, written(target, again), overrides, Ids.random());
    for (Row row : List.of(updated, late, added, again)) {
      expected.put((Integer) row.get(0), text(row));
    }
    expected.remove(31);

    isOneOverwrite(base, result);
    assertThat(liveNames(50, 59)).as("files of the untouched section").isEqualTo(untouched);
    Set<String> staying = new HashSet<>(liveNames());
    staying.retainAll(before);
    if ("2".equals(options.get("bucket"))) {
      assertThat(staying).as("files that stay").containsAll(untouched);
      assertThat(staying.size()).isLessThan(before.size());
    } else {
      assertThat(staying).as("files that stay").isEqualTo(untouched);
    }
    Set<String> newOnDisk = new HashSet<>(WriteFixture.filesOnDisk(folder));
    newOnDisk.removeAll(onDisk);
    assertThat(liveNames())
        .as("no other new file stays, such as an override: %s", overrides)
        .containsAll(newOnDisk);
    SoundTable.check(folder);
    if (!referencePassesLevelZeroOver()) {
      assertThat(TableRows.of(table(folder)))
          .containsExactlyInAnyOrderElementsOf(expected.values());
      sameAsReference();
    }
    laterRowsAreNewer();
    aFullCompactionKeeps(expected);
  }

  private void isOneOverwrite(Snapshot base, RewriteResult result) {
    Snapshot made = latest();
    assertThat(made.id()).isEqualTo(base.id() + 1);
    assertThat(result.result().snapshots()).containsExactly(made);
    assertThat(made.commitKind()).isEqualTo(CommitKind.OVERWRITE);
    assertThat(made.properties())
        .containsEntry(StatementCounts.ROWS_COPIED, Long.toString(result.rowsCopied()));
    assertThat(result.rowsCopied()).isPositive();
  }

  private void aFullCompactionKeeps(Map<Integer, String> expected) throws Exception {
    WriteTarget all = WriteFixture.open(folder, target.schema());
    if (target.options().merge().engine() == Engine.FIRST_ROW) {
      expected.put(99, text(row(99, "+I", 1000, "last", 99)));
    } else {
      expected.remove(25);
      expected.remove(3);
    }
    InlineCompaction.run(all, InlineCompaction.Extent.FULL, Long.MAX_VALUE);
    assertThat(TableRows.of(table(folder))).containsAll(expected.values());
    sameAsReference();
    SoundTable.check(folder);
  }

  /** What is written after the rewrite is folded onto the rows as they are now. */
  private void laterRowsAreNewer() throws Exception {
    WriteFixture.append(
        target,
        List.of(
            row(25, "+I", 1000, "last", 99),
            row(3, "+I", 1000, "last", 99),
            row(99, "+I", 1000, "last", 99)),
        1);
    if (target.schema().options().keySet().equals(Set.of("bucket", "write-only"))) {
      assertThat(TableRows.of(table(folder)))
          .contains(text(row(25, "+I", 1000, "last", 99)), text(row(3, "+I", 1000, "last", 99)));
    } else if ("sum".equals(target.schema().options().get("fields.v.aggregate-function"))
        && !target.options().merge().hasOneRowAbove()) {
      assertThat(TableRows.of(table(folder)))
          .contains(text(row(25, "+I", 975, "last", 99)), text(row(3, "+I", 997, "last", 99)));
    }
    if (!referencePassesLevelZeroOver()) {
      sameAsReference();
    }
  }

  /** Whether the reference does not see rows that have not been compacted. */
  private boolean referencePassesLevelZeroOver() {
    return target.options().merge().hasOneRowAbove();
  }

  /** Runs an action when the job of the rewrite begins: files have been chosen then. */
  private static Ids before(Runnable action, AtomicInteger calls, int times) {
    Ids ids = Ids.random();
    return () -> {
      if (calls.incrementAndGet() <= times) {
        action.run();
      }
      return ids.next();
    };
  }

  private void compact() {
    try {
      InlineCompaction.run(target, InlineCompaction.Extent.FULL, Long.MAX_VALUE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCompactionMeanwhileMakesItStartAgain() throws Exception {
    for (Map<String, String> options :
        List.of(Map.of("bucket", "1"), Map.of("bucket", "1", "deletion-vectors.enabled", "true"))) {
      folder = temp.resolve("t" + options.size());
      create(options);
      Snapshot base = latest();
      List<BucketChange> overrides = overrides(row(25, "+U", -25, "new", 1));
      commit(base, List.of(), overrides, before(this::compact, new AtomicInteger(), 1));
      assertThat(latest().id()).isEqualTo(base.id() + 2);
      assertThat(TableRows.of(table(folder))).contains(text(row(25, "+U", -25, "new", 1)));
      SoundTable.check(folder);
      sameAsReference();
      Set<String> superfluous = new HashSet<>(WriteFixture.filesOnDisk(folder));
      superfluous.removeAll(everNamed());
      assertThat(superfluous).isEmpty();
    }
  }

  @Test
  void rowsThatACompactionMarksMeanwhileDoNotComeBack() throws Exception {
    create(Map.of("bucket", "1", "deletion-vectors.enabled", "true"));
    compact();
    List<BucketChange> overrides = overrides(row(75, "+U", -75, "new", 1));
    Snapshot base = latest();
    commit(
        base,
        List.of(),
        overrides,
        before(
            () -> {
              WriteFixture.append(target, List.of(row(10, "+I", 1, "other", 1)), 1);
              try {
                InlineCompaction.run(target, InlineCompaction.Extent.MINOR, Long.MAX_VALUE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            new AtomicInteger(),
            1));
    assertThat(TableRows.of(table(folder)))
        .contains(text(row(75, "+U", -75, "new", 1)), text(row(10, "+I", 1, "other", 1)))
        .doesNotHaveDuplicates()
        .hasSize(56);
    SoundTable.check(folder);
    sameAsReference();
  }

  /** Names of the data files that any snapshot has. */
  private Set<String> everNamed() {
    Set<String> names = new HashSet<>();
    for (long id = 1; id <= latest().id(); id++) {
      Snapshot snapshot = target.storage().snapshots().find(id).orElseThrow();
      target
          .storage()
          .deltaManifests(snapshot)
          .forEach(
              manifest ->
                  target
                      .storage()
                      .manifests()
                      .entries(manifest, StatsProjection.SKIP, EntryFilter.ALL)
                      .forEach(entry -> names.add(entry.file().name())));
    }
    return names;
  }

  @Test
  void aConcurrentWriteOfAnOverriddenKeyIsAConflictAndLeavesNoFile() throws Exception {
    create(Map.of("bucket", "1"));
    Snapshot base = latest();
    Runnable other = () -> WriteFixture.append(target, List.of(row(25, "+I", 1, "other", 1)), 1);
    List<BucketChange> early = overrides(row(25, "+U", -25, "new", 1));
    List<BucketChange> records = written(target, row(90, "+I", 1, "new", 1));
    assertThatThrownBy(() -> commit(base, records, early, before(other, new AtomicInteger(), 1)))
        .as("while the job runs")
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("Another commit wrote keys of bucket 0");
    List<BucketChange> late = overrides(row(25, "+U", -25, "new", 1));
    assertThatThrownBy(
            () ->
                commit(
                    base,
                    List.of(),
                    late,
                    () -> {
                      throw new AssertionError("no job is begun");
                    }))
        .as("before")
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("Another commit wrote keys of bucket 0");
    assertThat(everNamed()).containsAll(WriteFixture.filesOnDisk(folder));
    assertThat(TableRows.of(table(folder))).contains(text(row(25, "+I", 1, "other", 1)));
  }

  @Test
  void compactionsWithoutEndAreAConflictInTheEnd() throws Exception {
    create(Map.of("bucket", "1"));
    Snapshot base = latest();
    List<BucketChange> overrides = overrides(row(25, "+U", -25, "new", 1));
    AtomicInteger key = new AtomicInteger(100);
    Ids ids =
        before(
            () -> {
              int other = key.getAndIncrement();
              WriteFixture.append(target, List.of(row(other, "+I", 1, "other", 1)), 1);
              compact();
            },
            new AtomicInteger(),
            1000);
    assertThatThrownBy(() -> commit(base, List.of(), overrides, ids))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("removed by another commit");
    assertThat(everNamed()).containsAll(WriteFixture.filesOnDisk(folder));
  }

  @Test
  void fewKeysFarApartRewriteOnlyTheirSections() throws Exception {
    create(Map.of("bucket", "1"));
    Set<String> before = liveNames(50, 59);
    commit(
        latest(),
        List.of(),
        overrides(row(1, "+U", -1, "new", 1), row(79, "+U", -79, "new", 1)),
        Ids.random());
    assertThat(liveNames(50, 59)).isEqualTo(before);
    commit(latest(), List.of(), overrides(row(45, "-D", 0, "", 0)), Ids.random());
    assertThat(liveNames(50, 59)).isEqualTo(before);
    SoundTable.check(folder);
  }
}
