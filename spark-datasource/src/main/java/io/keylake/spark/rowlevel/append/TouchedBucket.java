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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.table.scan.BucketFiles;
import java.util.List;
import java.util.Map;

/**
 * A bucket of which rows go.
 *
 * @param files the bucket as of the snapshot that the commit goes on top of
 * @param marked positions of rows that go, by name of their file
 */
record TouchedBucket(BucketFiles files, Map<String, DeletionVector> marked) {
  TouchedBucket {
    marked = Map.copyOf(marked);
  }

  /** The files of which rows go. */
  List<DataFile> touched() {
    return files.files().stream().filter(file -> marked.containsKey(file.name())).toList();
  }
}
