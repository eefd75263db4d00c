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

package io.keylake.spark.compaction;

import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.spark.file.write.BucketFileNames;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.HadoopOutputs;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.scan.FileAddresses;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the steps of one task put files, and which ones they have begun. For one thread. */
final class StepStorage {
  private static final Logger LOG = LoggerFactory.getLogger(StepStorage.class);

  private final CompactionSpec spec;
  private final StepEnvironment environment;
  private final FileAddresses addresses;
  private final List<Location> written = new ArrayList<>();

  StepStorage(CompactionSpec spec, StepEnvironment environment) {
    this.spec = spec;
    this.environment = environment;
    this.addresses =
        FileAddresses.of(
            TableLayout.of(environment.root()).onBranch(environment.branch()),
            spec.schema(),
            spec.layout());
  }

  CompactionSpec spec() {
    return spec;
  }

  StepEnvironment environment() {
    return environment;
  }

  FileAddresses addresses() {
    return addresses;
  }

  /** What files of a plan's output level are like. */
  DataFileSpec files(CompactionPlan plan) {
    return files(plan, 1);
  }

  /** The same where a step has so many files open. */
  DataFileSpec files(CompactionPlan plan, int open) {
    return spec.files().ofCompaction(plan.outputLevel()).boundedFor(environment.tasks() * open);
  }

  /** A writer of such files; every file it begins is one of {@link #written}. */
  DataFileWriter newWriter(DataFileSpec files) {
    HadoopOutputs outputs = new HadoopOutputs(environment.io().configuration());
    return new DataFileWriter(
        files,
        location -> {
          written.add(location);
          return outputs.open(location);
        },
        environment.io().configuration(),
        environment.clock());
  }

  /** Names for new files of a plan's bucket. */
  NewDataFiles newFiles(CompactionPlan plan, DataFileSpec files) {
    return newFiles(plan, plan.bucket(), files);
  }

  /** Names for new files of a bucket of a plan's partition. */
  NewDataFiles newFiles(CompactionPlan plan, int bucket, DataFileSpec files) {
    return BucketFileNames.of(
        addresses.bucketFolder(plan.partition(), bucket), spec.layout(), files, environment.ids());
  }

  /** Names for new changelog files of a plan's bucket. */
  NewDataFiles newChangelogFiles(CompactionPlan plan, DataFileSpec files) {
    return BucketFileNames.ofChangelog(
        addresses.bucketFolder(plan.partition(), plan.bucket()),
        spec.layout(),
        files,
        environment.ids());
  }

  List<Location> written() {
    return List.copyOf(written);
  }

  /** Deletes files that no one needs. One that cannot be deleted is left to orphan removal. */
  void delete(List<Location> files) {
    for (Location file : files) {
      try {
        environment.io().delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete {} of a compaction of {}", file, spec.table(), e);
      }
    }
  }
}
