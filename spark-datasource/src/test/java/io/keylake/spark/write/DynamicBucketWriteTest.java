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
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.HashIndexFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks and jobs that write a table with dynamic buckets. */
class DynamicBucketWriteTest {
  @TempDir Path folder;
  private WriteTarget target;

  @BeforeEach
  void create() {
    target =
        WriteFixture.create(
            folder,
            TestRows.schema(
                List.of(
                    DataField.of(0, "k", DataTypes.BIGINT.asNotNull()),
                    DataField.of(1, "v", DataTypes.STRING)),
                List.of(),
                List.of("k"),
                Map.of("dynamic-bucket.target-row-num", "3")));
  }

  private static List<Row> rows(String value, long... keys) {
    return Arrays.stream(keys).mapToObj(key -> RowFactory.create(key, value)).toList();
  }

  private KeylakeBatchWrite job() {
    return WriteFixture.batch(target, Replacement.NOTHING);
  }

  private WriterCommitMessage[] run(KeylakeBatchWrite job, List<Row> rows) {
    return WriteFixture.run(job, target.schema(), rows, 1);
  }

  private List<String> filesOnDisk() {
    return filesIn(folder.toString());
  }

  private static List<String> filesIn(String folder) {
    try (Stream<Path> all = Files.walk(Path.of(folder))) {
      return all.filter(Files::isRegularFile)
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("data-") || name.startsWith("index-"))
          .filter(name -> !name.startsWith("index-manifest"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The number of hashes of each bucket. */
  private Map<Integer, Integer> hashes() {
    FileAddresses addresses =
        FileAddresses.of(target.storage().layout(), target.schema(), target.options().fileLayout());
    HashIndexFiles indexes = new HashIndexFiles(target.storage().io(), addresses, () -> "id");
    Map<Integer, Integer> hashes = new TreeMap<>();
    for (IndexEntry index :
        target.storage().indexEntries(target.storage().snapshots().latest().orElseThrow())) {
      int[] all = indexes.read(index);
      assertThat(Arrays.stream(all).distinct().count())
          .isEqualTo(index.file().rowCount())
          .isEqualTo(index.file().size() / Integer.BYTES);
      hashes.put(index.bucket(), all.length);
    }
    return hashes;
  }

  @Test
  void onlyBucketsWithNewKeysGetAnIndex() throws Exception {
    WriteFixture.append(target, rows("a", 1, 2, 3, 4), 1);
    assertThat(hashes()).isEqualTo(Map.of(0, 3, 1, 1));
    KeylakeBatchWrite update = job();
    WriterCommitMessage[] messages = run(update, rows("b", 1, 2, 4));
    assertThat(((BucketWriteMessage) messages[0]).changes())
        .allMatch(change -> change.written().addedIndexes().isEmpty());
    update.commit(messages);
    WriteFixture.append(target, rows("c", 4, 5, 1), 1);
    assertThat(hashes()).isEqualTo(Map.of(0, 3, 1, 2));
    assertThat(ReferenceTable.open(folder).rows())
        .containsExactly("[1, c]", "[2, b]", "[3, a]", "[4, c]", "[5, c]");
  }

  @Test
  void abortedTaskLeavesNoIndex() {
    DataWriterFactory factory = job().createBatchWriterFactory(() -> 1);
    List<DataField> fields = target.schema().fields();
    String place = folder.toString();
    List<Integer> written =
        WriteFixture.spark()
            .parallelize(rows("a", 1, 2, 3, 4), 1)
            .mapPartitions(
                some -> {
                  List<Row> list = new ArrayList<>();
                  some.forEachRemaining(list::add);
                  TaskContext task = TaskContext.get();
                  try (DataWriter<InternalRow> writer =
                      factory.createWriter(task.partitionId(), task.taskAttemptId())) {
                    for (UnsafeRow row : TestRows.unsafe(fields, list)) {
                      writer.write(row);
                    }
                    writer.commit();
                    int files = filesIn(place).size();
                    writer.abort();
                    return List.of(files).iterator();
                  }
                })
            .collect();
    assertThat(written).containsExactly(4);
    assertThat(filesOnDisk()).isEmpty();
  }

  @Test
  void abortedJobLeavesNoIndex() {
    KeylakeBatchWrite job = job();
    WriterCommitMessage[] messages = run(job, rows("a", 1, 2, 3, 4));
    assertThat(filesOnDisk()).hasSize(4);
    job.abort(messages);
    assertThat(filesOnDisk()).isEmpty();
  }

  @Test
  void laterOfTwoJobsWithTheSameNewKeysWinsWhenTheirBucketsAgree() throws Exception {
    KeylakeBatchWrite first = job();
    WriterCommitMessage[] ofFirst = run(first, rows("first", 1, 3));
    KeylakeBatchWrite second = job();
    second.commit(run(second, rows("second", 1, 2)));
    first.commit(ofFirst);
    assertThat(ReferenceTable.open(folder).rows())
        .containsExactly("[1, first]", "[2, second]", "[3, first]");
    assertThat(hashes()).isEqualTo(Map.of(0, 3));
    assertThat(filesOnDisk()).as("two data files, the index before and the union").hasSize(4);
    WriteFixture.append(target, rows("third", 3, 4), 1);
    assertThat(hashes()).isEqualTo(Map.of(0, 3, 1, 1));
  }

  @Test
  void jobThatGaveANewKeyAnotherBucketFailsAndLeavesNoFile() throws Exception {
    WriteFixture.append(target, rows("a", 10, 11), 1);
    KeylakeBatchWrite first = job();
    WriterCommitMessage[] ofFirst = run(first, rows("first", 1, 2));
    KeylakeBatchWrite second = job();
    second.commit(run(second, rows("second", 2, 1)));
    List<String> before = filesOnDisk();
    assertThatThrownBy(() -> first.commit(ofFirst))
        .hasMessageContaining("KEYLAKE_CONCURRENT_MODIFICATION")
        .hasMessageContaining("for the first time, too, and gave it bucket")
        .hasMessageContaining("run the statement again");
    first.abort(ofFirst);
    assertThat(before).containsAll(filesOnDisk());
    assertThat(filesOnDisk()).hasSize(before.size() - 4);
    KeylakeBatchWrite again = job();
    again.commit(run(again, rows("first", 1, 2)));
    assertThat(ReferenceTable.open(folder).rows())
        .containsExactly("[1, first]", "[10, a]", "[11, a]", "[2, first]");
  }

  @Test
  void tasksThatBothWriteAnIndexOfABucketAreABug() {
    KeylakeBatchWrite job = job();
    BucketChange change =
        new BucketChange(
            BinaryRow.EMPTY,
            0,
            -1,
            new FileChanges(
                List.<DataFile>of(),
                List.of(),
                List.of(),
                List.of(new IndexFile(IndexFile.HASH, "index-1", 4, 1, null, null, null)),
                List.of()),
            FileChanges.NONE);
    WriterCommitMessage[] twice =
        IntStream.range(0, 2)
            .mapToObj(i -> new BucketWriteMessage(List.of(change), List.of(), null, Set.of()))
            .toArray(WriterCommitMessage[]::new);
    assertThatThrownBy(() -> job.commit(twice))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Several tasks wrote a hash index of bucket 0");
    assertThatCode(() -> job.abort(twice)).doesNotThrowAnyException();
  }
}
