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

package io.keylake.spark.changelog;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.table.changes.ChangeFile;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Changes that are stored in files: changelog files, or data files that a commit added.
 *
 * @param mark the commit
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param files read one after another
 */
public record StoredChangeSplit(
    CommitMark mark, BinaryRow partition, int bucket, List<ChangeFile> files)
    implements ChangeSplit {
  private static final long serialVersionUID = 1L;

  /** Copies the list, without the statistics of files. */
  public StoredChangeSplit {
    files = files.stream().map(ChangeFile::withoutStats).toList();
  }

  @Override
  public Stream<DataFile> dataFiles() {
    return files.stream().map(ChangeFile::file);
  }

  @Override
  public long size() {
    return files.stream().mapToLong(file -> file.file().size()).sum();
  }

  @Override
  public long rowCount() {
    return files.stream().mapToLong(file -> file.file().rowCount()).sum();
  }

  @Override
  public ChangeRows open(ChangeTask task) throws IOException {
    return new StoredRowsReader(task, this);
  }
}
