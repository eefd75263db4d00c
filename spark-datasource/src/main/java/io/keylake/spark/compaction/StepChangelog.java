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

import io.keylake.format.datafile.DataFile;
import io.keylake.spark.compaction.changes.ChangedRows;
import io.keylake.spark.compaction.changes.ChangelogSpec;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.file.write.DataFileWriter;
import io.keylake.spark.file.write.NewDataFiles;
import io.keylake.table.compaction.CompactionPlan;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changelog files of one step. For one thread; the owner closes it. */
final class StepChangelog implements Closeable {
  private final ChangelogSpec spec;
  private final DataFileWriter writer;
  private final NewDataFiles names;

  private StepChangelog(ChangelogSpec spec, StepStorage storage, CompactionPlan plan) {
    this.spec = spec;
    DataFileSpec files =
        spec.files(plan.outputLevel()).boundedFor(storage.environment().tasks() * 2);
    this.writer = storage.newWriter(files);
    this.names = storage.newChangelogFiles(plan, files);
  }

  /** The changelog of a step of {@code plan}; null when the plan writes none. */
  static @Nullable StepChangelog of(StepStorage storage, CompactionPlan plan) {
    ChangelogSpec spec = storage.spec().changelog();
    return spec == null || spec.oldLevel(plan.outputLevel()) == 0
        ? null
        : new StepChangelog(spec, storage, plan);
  }

  /** The sink of a merge that writes its rows to where {@code gone} knows. */
  ChangedRows sink(ChangedRows.Gone gone) {
    return new ChangedRows(spec, gone, writer, names);
  }

  /** Ends the last file and returns all of them. */
  List<DataFile> finish() throws IOException {
    return writer.endBucket();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
