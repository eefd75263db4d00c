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

package io.keylake.spark.staged;

import io.keylake.format.row.BinaryRow;
import io.keylake.table.split.StagedFile;
import java.io.Serializable;
import java.util.List;

/**
 * The staged rows of a partition.
 *
 * @param partition values of the partition columns
 * @param totalBuckets the number of buckets that the rows are spread over
 * @param files in the order of writing
 */
public record StagedRowFiles(BinaryRow partition, int totalBuckets, List<StagedFile> files)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public StagedRowFiles {
    files = List.copyOf(files);
  }
}
