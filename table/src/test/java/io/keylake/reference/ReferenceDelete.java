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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.Bitmap64DeletionVector;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.deletionvectors.append.BaseAppendDeleteFileMaintainer;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileKind;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.reader.RecordReaderIterator;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.utils.IOExceptionSupplier;

/** Deletes rows of an append table by deletion vectors, as the reference implementation does. */
@SuppressWarnings("all") // asks a foreign library through its raw types
final class ReferenceDelete {
  private final FileStoreTable table;
  private final Map<String, BaseAppendDeleteFileMaintainer> maintainers = new LinkedHashMap<>();

  ReferenceDelete(FileStoreTable table) {
    this.table = table;
  }

  /** What a commit has to add so that the matching rows are gone. */
  List<CommitMessage> messages(Predicate<InternalRow> deleted) throws Exception {
    Snapshot snapshot = table.snapshotManager().latestSnapshot();
    if (snapshot == null) {
      return List.of();
    }
    for (DataSplit split : table.newSnapshotReader().withSnapshot(snapshot).read().dataSplits()) {
      for (int i = 0; i < split.dataFiles().size(); i++) {
        DeletionFile stored =
            split.deletionFiles().isPresent() ? split.deletionFiles().get().get(i) : null;
        DeletionVector old = stored == null ? null : DeletionVector.read(table.fileIO(), stored);
        DataFileMeta file = split.dataFiles().get(i);
        DeletionVector marks = marks(split, file, old, deleted);
        if (!marks.isEmpty()) {
          maintainer(snapshot, split).notifyNewDeletionVector(file.fileName(), marks);
        }
      }
    }
    List<CommitMessage> messages = new ArrayList<>();
    for (BaseAppendDeleteFileMaintainer maintainer : maintainers.values()) {
      messages.add(message(maintainer));
    }
    return messages;
  }

  private DeletionVector marks(
      DataSplit split, DataFileMeta file, DeletionVector old, Predicate<InternalRow> deleted)
      throws Exception {
    DeletionVector marks =
        table.coreOptions().deletionVectorBitmap64()
            ? new Bitmap64DeletionVector()
            : new BitmapDeletionVector();
    Map<String, IOExceptionSupplier<DeletionVector>> none = null;
    try (RecordReaderIterator<InternalRow> rows =
        new RecordReaderIterator<>(
            ((AppendOnlyFileStore) table.store())
                .newRead()
                .createReader(split.partition(), split.bucket(), List.of(file), none))) {
      for (long position = 0; rows.hasNext(); position++) {
        InternalRow row = rows.next();
        if ((old == null || !old.isDeleted(position)) && deleted.test(row)) {
          marks.delete(position);
        }
      }
    }
    return marks;
  }

  private BaseAppendDeleteFileMaintainer maintainer(Snapshot snapshot, DataSplit split) {
    boolean unaware = table.bucketMode() == BucketMode.BUCKET_UNAWARE;
    return maintainers.computeIfAbsent(
        split.partition() + (unaware ? "" : "#" + split.bucket()),
        key ->
            unaware
                ? BaseAppendDeleteFileMaintainer.forUnawareAppend(
                    table.store().newIndexFileHandler(), snapshot, split.partition())
                : BaseAppendDeleteFileMaintainer.forBucketedAppend(
                    table.store().newIndexFileHandler(),
                    snapshot,
                    split.partition(),
                    split.bucket()));
  }

  private static CommitMessage message(BaseAppendDeleteFileMaintainer maintainer) {
    List<IndexFileMeta> added = new ArrayList<>();
    List<IndexFileMeta> removed = new ArrayList<>();
    for (IndexManifestEntry entry : maintainer.persist()) {
      (entry.kind() == FileKind.ADD ? added : removed).add(entry.indexFile());
    }
    return new CommitMessageImpl(
        maintainer.getPartition(),
        maintainer.getBucket(),
        null,
        new DataIncrement(List.of(), List.of(), List.of(), added, removed),
        CompactIncrement.emptyIncrement());
  }
}
