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

package io.keylake.table.split;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;

/** A unit of read work inside one bucket. A task reads one or more splits. */
public sealed interface Split extends Serializable
    permits RawSplit, MergeSplit, FoldSplit, StagedSplit {
  /** Values of the partition columns. */
  BinaryRow partition();

  /** The bucket's number. */
  int bucket();

  /** The files that are scanned by themselves; empty where rows are folded. */
  List<ScanUnit> units();

  /** Every file that is opened; probes may come several times. */
  Stream<DataFile> dataFiles();

  /** Bytes to be read, probes not counted. */
  long size();

  /** Physical rows to be read, probes not counted; an estimate when a unit is part of a file. */
  long rowCount();
}
