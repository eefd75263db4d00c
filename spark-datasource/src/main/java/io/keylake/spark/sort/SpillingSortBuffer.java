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

package io.keylake.spark.sort;

import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.sort.SortPrefix.Groups;
import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.internal.config.package$;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparators;
import org.apache.spark.util.collection.unsafe.sort.UnsafeExternalSorter;
import org.apache.spark.util.collection.unsafe.sort.UnsafeSorterIterator;
import org.jspecify.annotations.Nullable;

/**
 * Sorts with Spark's {@link UnsafeExternalSorter}, which spills to local disk when the task's
 * execution memory is used up. One sorter takes the rows of all groups: several in one task cannot
 * make each other spill.
 *
 * <p>The first rows are held back to choose a prefix. While all prefixes are exact the sorter may
 * use radix sort, which never looks at a record; equal prefixes then keep the order of insertion,
 * which is that of sequence numbers. The first prefix that is not exact moves what has been sorted
 * so far to disk and goes on with a comparing sorter, which merges both.
 */
public final class SpillingSortBuffer implements SortBuffer {
  private static final int SAMPLE_ROWS = 1024;
  private static final int INITIAL_CAPACITY = 4096;

  private final SortOrder order;
  private final Groups groups;
  private final TaskContext task;
  private final byte[] header = new byte[RecordLayout.HEADER_BYTES];
  private @Nullable RowBatch sample = new RowBatch();
  private final int[] sampleGroups = new int[SAMPLE_ROWS];
  private @Nullable SortPrefix prefix;
  private @Nullable UnsafeExternalSorter sorter;
  private boolean radix;
  private long spilledBefore;

  private SpillingSortBuffer(SortOrder order, Groups groups, TaskContext task) {
    this.order = order;
    this.groups = groups;
    this.task = task;
  }

  /** A buffer for rows of one group only; for use inside {@code task}. */
  public static SpillingSortBuffer ofOneGroup(SortOrder order, TaskContext task) {
    return new SpillingSortBuffer(order, Groups.ONE, task);
  }

  /** A buffer for rows of any number of groups; for use inside {@code task}. */
  public static SpillingSortBuffer ofManyGroups(SortOrder order, TaskContext task) {
    return new SpillingSortBuffer(order, Groups.MANY, task);
  }

  @Override
  public void insert(UnsafeRow row, int group, byte kind, long sequenceNumber) throws IOException {
    RowBatch held = sample;
    if (held == null) {
      insert(
          row.getBaseObject(),
          row.getBaseOffset(),
          row.getSizeInBytes(),
          group,
          kind,
          sequenceNumber);
      return;
    }
    sampleGroups[held.size()] = group;
    held.add(row.getBaseObject(), row.getBaseOffset(), row.getSizeInBytes(), sequenceNumber, kind);
    if (held.size() == SAMPLE_ROWS || held.isFull()) {
      start(held);
    }
  }

  private void start(RowBatch held) throws IOException {
    sample = null;
    PrefixSample seen = new PrefixSample(order);
    for (int i = 0; i < held.size(); i++) {
      seen.add(held.bytes(), held.start(i));
    }
    SortPrefix chosen = new SortPrefix(order, groups, seen);
    prefix = chosen;
    radix = chosen.isExactFor(seen);
    sorter = newSorter();
    UnsafeRow view = new UnsafeRow(order.arity());
    for (int i = 0; i < held.size(); i++) {
      held.view(i, view);
      insert(
          view.getBaseObject(),
          view.getBaseOffset(),
          view.getSizeInBytes(),
          sampleGroups[i],
          held.kind(i),
          held.sequenceNumber(i));
    }
  }

  private void insert(
      Object base, long offset, int length, int group, byte kind, long sequenceNumber)
      throws IOException {
    SortPrefix layout = prefix;
    if (layout == null) {
      throw new IllegalStateException("The buffer is closed");
    }
    long bits = layout.of(base, offset, group, sequenceNumber);
    if (radix && !layout.wasExact()) {
      leaveRadix();
    }
    RecordLayout.put(header, sequenceNumber, kind, group);
    open()
        .insertKVRecord(
            header,
            Platform.BYTE_ARRAY_OFFSET,
            RecordLayout.HEADER_BYTES,
            base,
            offset,
            length,
            bits,
            false);
  }

  private void leaveRadix() throws IOException {
    UnsafeExternalSorter sorted = open();
    radix = false;
    UnsafeExternalSorter comparing = newSorter();
    sorter = comparing;
    spilledBefore += sorted.getSpillSize();
    comparing.merge(sorted);
  }

  private UnsafeExternalSorter newSorter() {
    SparkEnv env = SparkEnv.get();
    SortOrder sortOrder = order;
    return UnsafeExternalSorter.create(
        task.taskMemoryManager(),
        env.blockManager(),
        env.serializerManager(),
        task,
        () -> new RecordOrder(sortOrder),
        PrefixComparators.BINARY,
        INITIAL_CAPACITY,
        env.memoryManager().pageSizeBytes(),
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        (int) env.conf().get(package$.MODULE$.UNSAFE_SORTER_SPILL_MERGE_FACTOR()),
        radix);
  }

  @Override
  public SortedRows sort() throws IOException {
    if (sample != null) {
      start(sample);
    }
    return new Records(open().getSortedIterator());
  }

  @Override
  public long spilledBytes() {
    return sorter == null ? spilledBefore : spilledBefore + sorter.getSpillSize();
  }

  @Override
  public void close() {
    sample = null;
    prefix = null;
    UnsafeExternalSorter open = sorter;
    sorter = null;
    if (open != null) {
      spilledBefore += open.getSpillSize();
      open.cleanupResources();
    }
  }

  private UnsafeExternalSorter open() {
    if (sorter == null) {
      throw new IllegalStateException("The buffer is closed");
    }
    return sorter;
  }

  private static final class Records implements SortedRows {
    private final UnsafeSorterIterator records;

    Records(UnsafeSorterIterator records) {
      this.records = records;
    }

    @Override
    public boolean next() throws IOException {
      if (!records.hasNext()) {
        return false;
      }
      records.loadNext();
      return true;
    }

    @Override
    public Object base() {
      return records.getBaseObject();
    }

    @Override
    public long offset() {
      return RecordLayout.row(records.getBaseOffset());
    }

    @Override
    public int length() {
      return RecordLayout.rowLength(records.getRecordLength());
    }

    @Override
    public int group() {
      return RecordLayout.group(records.getBaseObject(), records.getBaseOffset());
    }

    @Override
    public long sequenceNumber() {
      return RecordLayout.sequenceNumber(records.getBaseObject(), records.getBaseOffset());
    }

    @Override
    public byte kind() {
      return RecordLayout.kind(records.getBaseObject(), records.getBaseOffset());
    }
  }
}
