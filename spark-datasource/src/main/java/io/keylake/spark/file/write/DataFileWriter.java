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

package io.keylake.spark.file.write;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.fileio.Location;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileEncoder;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.parquet.ParquetFileEncoder;
import io.keylake.spark.file.parquet.RowGroup;
import io.keylake.spark.file.parquet.RowGroupSource;
import io.keylake.table.evolution.TrackedRows;
import io.keylake.table.options.DataFileOptions.Format;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Writes the data files of one bucket after the other: batches of rows in their final order in,
 * {@link DataFile}s out. A file ends when it has reached the target size. One file is open at a
 * time. For one thread; the owner closes it, and deletes the files of {@link #written} when they
 * are not wanted.
 */
public final class DataFileWriter implements Closeable {
  /** Opens a new file for writing. */
  @FunctionalInterface
  public interface Outputs {
    /** The file at {@code location}, which does not exist yet. */
    OutputFile open(Location location) throws IOException;
  }

  private static final String INDEX_SUFFIX = ".index";

  private final DataFileSpec spec;
  private final Outputs outputs;
  private final Configuration configuration;
  private final Clock clock;
  private final FileEncoder encoder;
  private final @Nullable ParquetFileEncoder parquet;
  private final FileIndexBuilder indexes;
  private final FileStatistics statistics;
  private final BinaryRowAssembler keys;
  private final List<Location> written = new ArrayList<>();
  private final List<DataFile> bucketFiles = new ArrayList<>();
  private NewDataFiles.@Nullable Place place;
  private BinaryRow minKey = BinaryRow.EMPTY;
  private BinaryRow maxKey = BinaryRow.EMPTY;
  private long rows;
  private long deletes;
  private long minSequence = Long.MAX_VALUE;
  private long maxSequence = Long.MIN_VALUE;

  /** A writer; {@code clock} tells the time, in its zone, that goes into the files' metadata. */
  public DataFileWriter(
      DataFileSpec spec, Outputs outputs, Configuration configuration, Clock clock) {
    this.spec = spec;
    this.outputs = outputs;
    this.configuration = configuration;
    this.clock = clock;
    int arity = spec.schema().fields().size();
    this.parquet =
        spec.files().format(spec.level()) == Format.PARQUET
            ? new ParquetFileEncoder(spec.columns(), arity, spec.settings(), configuration)
            : null;
    this.encoder = parquet == null ? new RowFileEncoder(spec, configuration) : parquet;
    this.indexes = new FileIndexBuilder(spec.schema(), spec.indexes());
    this.statistics = new FileStatistics(spec.schema(), spec.columns(), spec.stats(), spec.level());
    List<Integer> keyOrdinals = spec.columns().keyOrdinals();
    RowType keyType = RowType.of(keyOrdinals.stream().map(spec.schema().fields()::get).toList());
    this.keys = new BinaryRowAssembler(keyType, keyOrdinals, arity);
  }

  /** Adds rows of the current bucket; the files are named by {@code files}. */
  public void write(RowBatch batch, NewDataFiles files) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    if (place == null) {
      start(files.next());
    }
    count(batch);
    encoder.write(batch);
    indexes.add(batch);
    if (encoder.estimatedBytes() >= spec.targetFileBytes()) {
      endFile();
    }
  }

  /**
   * Opens a stored file whose row groups may be added as they are; the caller closes it. Empty when
   * there can be none: new files get file indexes or are no Parquet files, or the file is none, is
   * small, or has other columns.
   */
  public Optional<RowGroupSource> rowGroups(String path, DataFile file, TableSchema fileSchema)
      throws IOException {
    boolean isLikely =
        parquet != null
            && indexes.isEmpty()
            && file.formatIdentifier().equals(Format.PARQUET.identifier())
            && file.size() >= RowGroupSource.smallestBytes(spec.settings())
            && RowGroupSource.haveSameColumns(fileSchema, spec.schema());
    if (!isLikely) {
      return Optional.empty();
    }
    FileStatus status = new FileStatus(file.size(), false, 0, 0, 0, new Path(path));
    return Optional.of(
        RowGroupSource.open(
            HadoopInputFile.fromStatus(status, configuration),
            file,
            spec.columns(),
            spec.settings()));
  }

  /**
   * Adds the rows of a copyable row group of a primary-key table's file. The open file ends first
   * when that brings it nearer to the target size.
   */
  public void append(RowGroup group, NewDataFiles files) throws IOException {
    ColumnRange sequence = group.range(spec.columns().valueStart() - 2);
    if (sequence == null
        || !(sequence.min() instanceof Long first)
        || !(sequence.max() instanceof Long last)) {
      throw new IllegalArgumentException("A row group without sequence numbers is not copied");
    }
    ParquetFileEncoder target = startCopy(group, files);
    RowGroup.Keys ends = group.keys();
    if (rows == 0) {
      minKey = ends.first();
    }
    maxKey = ends.last();
    copy(group, target, first, last);
  }

  /** Adds the rows of a copyable row group of an append table's file, and numbers them. */
  public void append(RowGroup group, long firstSequenceNumber, NewDataFiles files)
      throws IOException {
    ParquetFileEncoder target = startCopy(group, files);
    copy(group, target, firstSequenceNumber, firstSequenceNumber + group.rows() - 1);
  }

  private ParquetFileEncoder startCopy(RowGroup group, NewDataFiles files) throws IOException {
    ParquetFileEncoder target = parquet;
    if (target == null || !indexes.isEmpty()) {
      throw new IllegalStateException("Row groups cannot be copied into these files");
    }
    if (place != null) {
      long now = encoder.estimatedBytes();
      long targetBytes = spec.targetFileBytes();
      if (Math.abs(now + group.bytes() - targetBytes) > Math.abs(targetBytes - now)) {
        endFile();
      }
    }
    if (place == null) {
      start(files.next());
    }
    return target;
  }

  private void copy(RowGroup group, ParquetFileEncoder target, long first, long last)
      throws IOException {
    target.append(group);
    minSequence = Math.min(minSequence, first);
    maxSequence = Math.max(maxSequence, last);
    rows += group.rows();
    if (encoder.estimatedBytes() >= spec.targetFileBytes()) {
      endFile();
    }
  }

  /** Ends the current bucket and returns its files. */
  public List<DataFile> endBucket() throws IOException {
    if (place != null) {
      endFile();
    }
    List<DataFile> files = List.copyOf(bucketFiles);
    bucketFiles.clear();
    return files;
  }

  /** Every file that this writer has begun, ended or not. */
  public List<Location> written() {
    return List.copyOf(written);
  }

  /** Bytes of the current bucket so far, about. */
  public long bucketBytes() throws IOException {
    long bytes = place == null ? 0 : encoder.estimatedBytes();
    for (DataFile file : bucketFiles) {
      bytes += file.size();
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    place = null;
    encoder.close();
  }

  private void start(NewDataFiles.Place next) throws IOException {
    written.add(next.location());
    encoder.open(outputs.open(next.location()));
    place = next;
    rows = 0;
    deletes = 0;
    minSequence = Long.MAX_VALUE;
    maxSequence = Long.MIN_VALUE;
    minKey = BinaryRow.EMPTY;
    maxKey = BinaryRow.EMPTY;
  }

  private void count(RowBatch batch) {
    int size = batch.size();
    for (int i = 0; i < size; i++) {
      long sequence = batch.sequenceNumber(i);
      minSequence = Math.min(minSequence, sequence);
      maxSequence = Math.max(maxSequence, sequence);
      byte kind = batch.kind(i);
      if (kind == ChangeKind.DELETE.code() || kind == ChangeKind.UPDATE_BEFORE.code()) {
        deletes++;
      }
    }
    if (!spec.columns().keyOrdinals().isEmpty()) {
      if (rows == 0) {
        minKey = key(batch, 0);
      }
      maxKey = key(batch, size - 1);
    }
    rows += size;
  }

  private BinaryRow key(RowBatch batch, int row) {
    keys.assemble(batch.bytes(), Platform.BYTE_ARRAY_OFFSET + (long) batch.start(row));
    return keys.toBinaryRow();
  }

  private void endFile() throws IOException {
    NewDataFiles.Place ended = place;
    if (ended == null) {
      throw new IllegalStateException("No file is open");
    }
    FileEncoder.Ended file = encoder.finish();
    place = null;
    StoredIndexes stored = storeIndexes(ended);
    FileStatistics.Values values = statistics.values(file.ranges());
    long now =
        LocalDateTime.ofInstant(clock.instant(), clock.getZone())
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    bucketFiles.add(
        new DataFile(
            ended.name(),
            file.bytes(),
            rows,
            minKey,
            maxKey,
            statistics.keys(file.ranges()),
            values.stats(),
            minSequence,
            maxSequence,
            spec.schema().id(),
            spec.level(),
            stored.extraFiles(),
            now,
            deletes,
            stored.embedded(),
            spec.source(),
            values.names(),
            ended.externalPath(),
            null,
            TrackedRows.areStored(spec.schema()) ? spec.schema().rowType().names() : null));
  }

  private record StoredIndexes(List<String> extraFiles, @Nullable Bytes embedded) {}

  private StoredIndexes storeIndexes(NewDataFiles.Place file) throws IOException {
    if (indexes.isEmpty()) {
      return new StoredIndexes(List.of(), null);
    }
    byte[] content = indexes.encode();
    indexes.clear();
    if (content.length <= spec.indexes().embeddedBytes()) {
      return new StoredIndexes(List.of(), Bytes.wrap(content));
    }
    Location location = new Location(file.location() + INDEX_SUFFIX);
    written.add(location);
    try (OutputStream out = outputs.open(location).create(0)) {
      out.write(content);
    }
    return new StoredIndexes(List.of(file.name() + INDEX_SUFFIX), null);
  }
}
