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
import java.io.IOException;
import java.io.Serializable;
import java.util.stream.Stream;

/**
 * The changes of one bucket in one commit, or a part of them. Splits of a bucket are read in the
 * order of their commits, in one task, so that the changes of a key stay in order.
 */
public interface ChangeSplit extends Serializable {
  /** The commit that the rows belong to. */
  CommitMark mark();

  /** Values of the partition columns. */
  BinaryRow partition();

  /** The bucket's number. */
  int bucket();

  /** Every file that is opened. */
  Stream<DataFile> dataFiles();

  /** Bytes to be read. */
  long size();

  /** Physical rows to be read. */
  long rowCount();

  /**
   * Opens the split; the caller closes the reader.
   *
   * @param task what all splits of a task share
   */
  ChangeRows open(ChangeTask task) throws IOException;
}
