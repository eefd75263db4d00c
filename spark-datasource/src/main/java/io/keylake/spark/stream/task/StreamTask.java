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

package io.keylake.spark.stream.task;

import io.keylake.spark.changelog.ChangeReaders;
import io.keylake.spark.changelog.ChangeSplit;
import io.keylake.spark.changelog.CommitMark;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.staged.StagedReaders;
import io.keylake.table.split.Split;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.connector.read.InputPartition;

/** The work of one task of a trigger. */
public sealed interface StreamTask extends InputPartition {
  /**
   * Opens it; the caller closes the reader.
   *
   * @param conf where file systems are configured; not changed
   * @param metrics counts what is read
   */
  BatchReader open(StreamSpec spec, Configuration conf, ReadMetrics metrics);

  /**
   * Rows of a whole version.
   *
   * @param splits read one after another
   * @param mark the version
   */
  record OfVersion(List<Split> splits, CommitMark mark) implements StreamTask {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public OfVersion {
      splits = List.copyOf(splits);
    }

    @Override
    public BatchReader open(StreamSpec spec, Configuration conf, ReadMetrics metrics) {
      return new VersionRows(
          StagedReaders.open(spec.version(), splits, conf, metrics), spec.columns().metas(), mark);
    }
  }

  /**
   * Changes, in the order of commits.
   *
   * @param splits read one after another
   */
  record OfCommits(List<ChangeSplit> splits) implements StreamTask {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public OfCommits {
      splits = List.copyOf(splits);
    }

    @Override
    public BatchReader open(StreamSpec spec, Configuration conf, ReadMetrics metrics) {
      return ChangeReaders.open(spec.changes(), splits, conf, metrics);
    }
  }
}
