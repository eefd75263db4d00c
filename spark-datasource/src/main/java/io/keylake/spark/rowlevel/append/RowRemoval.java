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
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.spark.compaction.CompactionSpec;
import io.keylake.spark.compaction.StepEnvironment;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.compaction.VectorIndexes;
import io.keylake.spark.maintenance.StepJob;
import io.keylake.spark.merge.runs.StopCheck;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.compaction.CompactionStep;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.split.StoredVector;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes what takes rows away from data files. For one snapshot and one thread, on the driver.
 *
 * <ol>
 *   <li>A file of which no row is left is removed; nothing is read or written for it.
 *   <li>With {@code deletion-vectors.enabled} the positions are added to the vectors of the files;
 *       index files that hold one of these vectors are replaced.
 *   <li>Else each file is copied without the rows, column by column, by a Spark job: rows keep
 *       their order and lie in the range of sequence numbers that the file had. Vectors that the
 *       file has from earlier times are applied and go with it.
 *   <li>A row that the snapshot no longer has was deleted by another statement: a conflict.
 * </ol>
 */
final class RowRemoval {
  private final WriteTarget target;
  private final SparkContext spark;
  private final String description;
  private final HadoopFileIO io;
  private final FileAddresses addresses;
  private final boolean storesVectors;
  private final Map<String, byte[]> indexContents = new HashMap<>();
  private @Nullable VectorIndexes indexes;
  private @Nullable StepJob job;
  private long copiedRows;

  RowRemoval(WriteTarget target, SparkContext spark, String description) {
    this.target = target;
    this.spark = spark;
    this.description = description;
    this.io = HadoopFileIO.of(target.configuration());
    this.addresses =
        FileAddresses.of(target.storage().layout(), target.schema(), target.options().fileLayout());
    this.storesVectors = target.options().merge().deletionVectors();
  }

  /** What happens to one bucket. */
  private record Decision(
      TouchedBucket bucket,
      CompactionPlan plan,
      List<DataFile> emptied,
      Map<String, DeletionVector> marks) {
    /** Names of the files that are no longer part of the bucket. */
    Set<String> gone() {
      Set<String> gone = new HashSet<>();
      emptied.forEach(file -> gone.add(file.name()));
      plan.inputs().forEach(input -> gone.add(input.file().name()));
      return gone;
    }
  }

  /**
   * Carries the removal out: the changes to commit.
   *
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when a row is gone already
   */
  List<BucketChange> changes(List<TouchedBucket> touched) {
    List<Decision> decisions = touched.stream().map(this::decide).toList();
    List<CompactionPlan> plans =
        decisions.stream().map(Decision::plan).filter(plan -> !plan.steps().isEmpty()).toList();
    CompactionSpec spec =
        CompactionSpec.of(
            target.name().text(),
            target.schema(),
            target.options(),
            target.storage().schemas()::load,
            plans,
            Optional.empty());
    List<List<StepResult>> results = plans.isEmpty() ? List.of() : copy(spec, plans);
    VectorIndexes written = new VectorIndexes(spec, environment());
    indexes = written;
    List<BucketChange> changes = new ArrayList<>();
    int next = 0;
    for (Decision decision : decisions) {
      List<StepResult> copied = decision.plan().steps().isEmpty() ? List.of() : results.get(next++);
      changes.add(change(decision, copied, written));
    }
    return changes;
  }

  private Decision decide(TouchedBucket touched) {
    BucketFiles bucket = touched.files();
    List<DataFile> emptied = new ArrayList<>();
    List<CompactionStep> steps = new ArrayList<>();
    Map<String, DeletionVector> marks = new HashMap<>();
    for (DataFile file : touched.touched()) {
      DeletionVector marked = Objects.requireNonNull(touched.marked().get(file.name()));
      IndexedVector stored = bucket.vectors().get(file.name());
      long gone = marked.cardinality() + (stored == null ? 0 : checkNew(file, marked, stored));
      if (gone >= file.rowCount()) {
        emptied.add(file);
      } else if (storesVectors) {
        marks.put(file.name(), marked);
      } else {
        String path = addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
        StoredVector vector = stored == null ? null : new StoredVector(stored.path(), stored.ref());
        steps.add(new CompactionStep.Remainder(new CompactionInput(path, file, 0, vector), marked));
      }
    }
    CompactionPlan plan =
        new CompactionPlan(
            bucket.partition(),
            bucket.bucket(),
            bucket.totalBuckets(),
            0,
            steps,
            bucket.vectorFiles());
    return new Decision(touched, plan, emptied, marks);
  }

  /** The number of rows in a stored vector, none of which may be marked. */
  private long checkNew(DataFile file, DeletionVector marked, IndexedVector stored) {
    byte[] content =
        indexContents.computeIfAbsent(stored.path(), path -> io.read(new Location(path)));
    DeletionVector before = DeletionVectorFile.decode(content, stored.ref(), stored.path());
    DeletionVector both = new DeletionVector();
    both.addAll(before);
    both.addAll(marked);
    if (both.cardinality() != before.cardinality() + marked.cardinality()) {
      throw new CommitConflictException(
          Condition.KEYLAKE_CONCURRENT_MODIFICATION,
          "Cannot commit to table "
              + target.name().text()
              + ". Another commit deleted or updated rows of data file "
              + file.name()
              + " that this statement deletes or updates, too. Nothing of this statement is"
              + " visible; run it again.");
    }
    return before.cardinality();
  }

  private List<List<StepResult>> copy(CompactionSpec spec, List<CompactionPlan> plans) {
    StepJob copying =
        new StepJob(
            spark, spec, plans, target.storage().layout(), target.configuration(), Ids.random());
    job = copying;
    int files = plans.stream().mapToInt(plan -> plan.steps().size()).sum();
    List<List<StepResult>> results;
    StepJob.JobLabel label =
        StepJob.label(
            spark,
            "keylake-rewrite-" + Ids.random().next(),
            description + ": copy what is left of " + files + " files");
    try {
      results = copying.run();
    } finally {
      label.close();
    }
    copiedRows =
        results.stream()
            .flatMap(List::stream)
            .flatMap(result -> result.added().stream())
            .mapToLong(DataFile::rowCount)
            .sum();
    return results;
  }

  private static BucketChange change(
      Decision decision, List<StepResult> copied, VectorIndexes indexes) {
    CompactionPlan plan = decision.plan();
    List<DataFile> removed = new ArrayList<>(decision.emptied());
    plan.inputs().forEach(input -> removed.add(input.file()));
    List<DataFile> added = copied.stream().flatMap(result -> result.added().stream()).toList();
    VectorIndexes.Change vectors = indexes.write(plan, decision.gone(), decision.marks());
    return new BucketChange(
        plan.partition(),
        plan.bucket(),
        plan.totalBuckets(),
        new FileChanges(added, removed, List.of(), vectors.added(), vectors.removed()),
        FileChanges.NONE);
  }

  /** Rows that were copied. */
  long copiedRows() {
    return copiedRows;
  }

  /** Deletes everything that was made and that no commit was given. */
  void discard() {
    if (indexes != null) {
      indexes.discard();
    }
    if (job != null) {
      job.discard();
    }
  }

  private StepEnvironment environment() {
    return new StepEnvironment(
        target.storage().layout().root(),
        target.storage().layout().branch(),
        io,
        Ids.random(),
        Clock.systemDefaultZone(),
        1,
        StopCheck.NEVER);
  }
}
