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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.KeyValue;
import org.apache.paimon.KeyValueFileStore;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.BucketEntry;
import org.apache.paimon.postpone.BucketFiles;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PostponeUtils;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.DataSplit;

/**
 * Compacts a postpone table as the reference does: what is staged is written into buckets and taken
 * away from bucket -2, in one commit.
 */
final class ReferenceStagedMove {
  private final FileStoreTable table;
  private final String user;
  private final List<CommitMessage> messages = new ArrayList<>();

  private ReferenceStagedMove(FileStoreTable table, String user) {
    this.table = table;
    this.user = user;
  }

  /** What is to be committed. */
  static List<CommitMessage> messages(FileStoreTable table, String user, boolean fully)
      throws Exception {
    return new ReferenceStagedMove(table, user).messages(fully);
  }

  private List<CommitMessage> messages(boolean fully) throws Exception {
    Map<BinaryRow, List<DataFileMeta>> staged = new LinkedHashMap<>();
    for (DataSplit split :
        table.newSnapshotReader().withBucket(BucketMode.POSTPONE_BUCKET).read().dataSplits()) {
      staged.computeIfAbsent(split.partition(), any -> new ArrayList<>()).addAll(split.dataFiles());
      messages.add(
          new CommitMessageImpl(
              split.partition(),
              split.bucket(),
              split.totalBuckets(),
              DataIncrement.emptyIncrement(),
              new CompactIncrement(split.dataFiles(), List.of(), List.of())));
    }
    Map<BinaryRow, Integer> known = PostponeUtils.getKnownNumBuckets(table);
    known.keySet().forEach(partition -> staged.putIfAbsent(partition, List.of()));
    for (Map.Entry<BinaryRow, List<DataFileMeta>> partition : staged.entrySet()) {
      int first = Math.max(1, table.coreOptions().postponeDefaultBucketNum());
      int buckets = known.getOrDefault(partition.getKey(), first);
      compact(
          table.copy(Map.of("bucket", Integer.toString(buckets))),
          partition.getKey(),
          partition.getValue(),
          fully);
    }
    return merged();
  }

  private void compact(
      FileStoreTable bucketed, BinaryRow partition, List<DataFileMeta> staged, boolean fully)
      throws Exception {
    List<DataFileMeta> inOrder = new ArrayList<>(staged);
    inOrder.sort(
        Comparator.comparingLong((DataFileMeta file) -> file.creationTime().getMillisecond())
            .thenComparingInt(file -> file.fileName().length())
            .thenComparing(DataFileMeta::fileName));
    try (IOManager io = ReferenceTable.io();
        TableWriteImpl<?> write = bucketed.newWrite(user)) {
      write.withIOManager(io);
      for (DataFileMeta file : inOrder) {
        rewrite(write, partition, file);
      }
      for (BucketEntry bucket : table.newSnapshotReader().bucketEntries()) {
        if (bucket.bucket() >= 0 && bucket.partition().equals(partition)) {
          write.compact(partition, bucket.bucket(), fully);
        }
      }
      messages.addAll(write.prepareCommit(true, Long.MAX_VALUE));
    }
  }

  private void rewrite(TableWriteImpl<?> write, BinaryRow partition, DataFileMeta file)
      throws Exception {
    try (RecordReaderIterator<KeyValue> rows =
        new RecordReaderIterator<>(
            ((KeyValueFileStore) table.store())
                .newReaderFactoryBuilder()
                .build(partition, BucketMode.POSTPONE_BUCKET, DeletionVector.emptyFactory())
                .createRecordReader(file))) {
      while (rows.hasNext()) {
        KeyValue row = rows.next();
        InternalRow value = row.value();
        value.setRowKind(row.valueKind());
        write.write(value);
      }
    }
  }

  /** What was written and compacted in the same bucket belongs together. */
  private List<CommitMessage> merged() {
    Map<List<Object>, BucketFiles> files = new LinkedHashMap<>();
    for (CommitMessage message : messages) {
      CommitMessageImpl change = (CommitMessageImpl) message;
      files
          .computeIfAbsent(
              List.of(change.partition(), change.bucket()),
              any ->
                  new BucketFiles(
                      table
                          .store()
                          .pathFactory()
                          .createDataFilePathFactory(change.partition(), change.bucket()),
                      table.fileIO()))
          .update(change);
    }
    List<CommitMessage> merged = new ArrayList<>();
    files.forEach(
        (bucket, some) ->
            merged.add(some.makeMessage((BinaryRow) bucket.get(0), (Integer) bucket.get(1))));
    return merged;
  }
}
