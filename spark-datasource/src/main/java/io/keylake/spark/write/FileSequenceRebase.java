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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.DataFileNames;
import io.keylake.spark.file.parquet.ParquetKeys;
import io.keylake.spark.file.parquet.SequenceShift;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.SequenceRebase;
import io.keylake.table.options.DataFileOptions.Format;
import io.keylake.table.scan.FileAddresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopInputFile;

/**
 * Raises the sequence numbers of files that were written while another commit wrote the same keys:
 * all numbers of the bucket by the same distance, so their order stays. Only the sequence column of
 * a Parquet file is written again; a file of another format fails the commit, and the statement has
 * to be run again.
 */
final class FileSequenceRebase implements SequenceRebase {
  private final WriteTarget target;
  private final Configuration configuration;
  private final Ids ids;

  FileSequenceRebase(WriteTarget target, Configuration configuration, Ids ids) {
    this.target = target;
    this.configuration = configuration;
    this.ids = ids;
  }

  @Override
  public BucketChange rebase(BucketChange change, long firstSequenceNumber) {
    FileChanges written = change.written();
    long lowest =
        Stream.concat(written.added().stream(), written.changelog().stream())
            .mapToLong(DataFile::minSequenceNumber)
            .min()
            .orElse(firstSequenceNumber);
    Shift shift = new Shift(change, firstSequenceNumber - lowest, new DataFileNames(ids));
    return new BucketChange(
        change.partition(),
        change.bucket(),
        change.totalBuckets(),
        new FileChanges(
            shift.all(written.added(), target.options().fileLayout().dataFilePrefix()),
            written.removed(),
            shift.all(written.changelog(), target.options().fileLayout().changelogFilePrefix()),
            written.addedIndexes(),
            written.removedIndexes()),
        FileChanges.NONE);
  }

  /** Raises the numbers of one bucket's files. */
  private final class Shift {
    private final BucketChange change;
    private final long distance;
    private final DataFileNames names;
    private final FileAddresses addresses;

    Shift(BucketChange change, long distance, DataFileNames names) {
      this.change = change;
      this.distance = distance;
      this.names = names;
      this.addresses =
          FileAddresses.of(
              target.storage().layout(), target.schema(), target.options().fileLayout());
    }

    List<DataFile> all(List<DataFile> files, String prefix) {
      List<DataFile> shifted = new ArrayList<>();
      for (DataFile file : files) {
        shifted.add(shifted(file, prefix));
      }
      return shifted;
    }

    private DataFile shifted(DataFile file, String prefix) {
      Location source = addresses.dataFile(change.partition(), change.bucket(), file);
      String format = DataFileNames.formatOf(file.name());
      if (!format.equals(Format.PARQUET.identifier()) || !file.extraFiles().isEmpty()) {
        throw new CommitConflictException(
            Condition.KEYLAKE_CONCURRENT_MODIFICATION,
            "Another writer has committed rows of the same keys to "
                + target.name().text()
                + " meanwhile, and the order of rows in "
                + source
                + " cannot be changed afterwards. Run the statement again.");
      }
      String name = names.next(prefix, format);
      Location copy = addresses.bucketFolder(change.partition(), change.bucket()).child(name);
      try {
        SequenceShift shift =
            new SequenceShift(
                ParquetKeys.settings(target.options().dataFile(), file.level()), configuration);
        long size =
            shift.copy(
                HadoopInputFile.fromPath(new Path(source.path()), configuration),
                new HadoopOutputs(configuration).open(copy),
                distance);
        return renumbered(file, name, size);
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot write " + source + " again as " + copy, e);
      }
    }

    private DataFile renumbered(DataFile file, String name, long size) {
      return new DataFile(
          name,
          size,
          file.rowCount(),
          file.minKey(),
          file.maxKey(),
          file.keyStats(),
          file.valueStats(),
          file.minSequenceNumber() + distance,
          file.maxSequenceNumber() + distance,
          file.schemaId(),
          file.level(),
          file.extraFiles(),
          file.creationTimeMillis(),
          file.deleteRowCount(),
          file.embeddedIndex(),
          file.source(),
          file.valueStatsColumns(),
          file.externalPath(),
          file.firstRowId(),
          file.writeColumns());
    }
  }
}
