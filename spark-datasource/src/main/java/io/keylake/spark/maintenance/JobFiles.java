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

package io.keylake.spark.maintenance;

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.scan.FileAddresses;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that the tasks of one job make: each has the job's name in its own.
 *
 * @param spec what all steps have in common
 * @param layout the place of the table, on the branch that is written
 * @param configuration where file systems are configured
 * @param ids name the files
 */
public record JobFiles(
    CompactionSpec spec, TableLayout layout, Configuration configuration, JobIds ids) {
  private static final Logger LOG = LoggerFactory.getLogger(JobFiles.class);

  /** Deletes the files in the buckets of some plans; one that cannot be deleted is left. */
  public void discard(List<CompactionPlan> plans) {
    FileIO io = HadoopFileIO.of(configuration);
    FileAddresses addresses = FileAddresses.of(layout, spec.schema(), spec.layout());
    Set<Location> folders = new LinkedHashSet<>();
    for (CompactionPlan plan : plans) {
      for (int bucket : plan.writtenBuckets()) {
        folders.add(addresses.bucketFolder(plan.partition(), bucket));
      }
    }
    discard(io, folders, ids);
  }

  /** Deletes the files of a job in some folders; one that cannot be deleted is left. */
  static void discard(FileIO io, Collection<Location> folders, JobIds ids) {
    for (Location folder : folders) {
      try {
        for (FileStatus file : io.list(folder)) {
          if (ids.made(file.location().name())) {
            io.delete(file.location());
          }
        }
      } catch (UncheckedIOException e) {
        LOG.warn("Files of a failed job in {} are left to orphan removal", folder, e);
      }
    }
  }
}
