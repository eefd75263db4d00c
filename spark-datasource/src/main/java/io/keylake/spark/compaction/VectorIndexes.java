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

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.DeletionVectorRef;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.layout.TableLayout;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.VectorOptions;
import io.keylake.table.scan.FileAddresses;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the index files of deletion vectors that compactions and deleted rows change. For one
 * thread.
 *
 * <ol>
 *   <li>A bucket has one index file of all its vectors. It is replaced when a vector is added,
 *       grows, or goes with its file; without any vector left there is none.
 *   <li>In an append table without buckets each index file that has a vector that goes or grows is
 *       replaced by files of what it still holds; new vectors get files of their own.
 * </ol>
 */
public final class VectorIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(VectorIndexes.class);

  /**
   * Index files that come and go.
   *
   * @param added new files
   * @param removed files that are no longer valid
   */
  public record Change(List<IndexFile> added, List<IndexFile> removed) {
    static final Change NONE = new Change(List.of(), List.of());

    /** Copies the lists. */
    public Change {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  private final HadoopFileIO io;
  private final FileAddresses addresses;
  private final MetadataFileNames names;
  private final VectorOptions options;
  private final boolean onePerBucket;
  private final List<Location> written = new ArrayList<>();

  /** Index files of the table of {@code spec}. */
  public VectorIndexes(CompactionSpec spec, StepEnvironment environment) {
    this.io = environment.io();
    this.addresses =
        FileAddresses.of(
            TableLayout.of(environment.root()).onBranch(environment.branch()),
            spec.schema(),
            spec.layout());
    this.names = new MetadataFileNames(environment.ids());
    this.options = TableOptions.of(spec.schema()).vectors();
    this.onePerBucket = !(BucketMode.of(spec.schema()) instanceof BucketMode.Unaware);
  }

  /**
   * Writes what changes.
   *
   * @param gone names of the files that are no longer part of the bucket
   * @param marks rows that are deleted from now on, by name of the file
   */
  public Change write(CompactionPlan plan, Set<String> gone, Map<String, DeletionVector> marks) {
    return onePerBucket ? replaceAll(plan, gone, marks) : replaceTouched(plan, gone, marks);
  }

  private Change replaceAll(
      CompactionPlan plan, Set<String> gone, Map<String, DeletionVector> marks) {
    boolean loses = plan.vectorFiles().stream().anyMatch(file -> holdsAny(file, gone));
    boolean grows =
        marks.entrySet().stream()
            .anyMatch(mark -> !gone.contains(mark.getKey()) && !mark.getValue().isEmpty());
    if (!loses && !grows) {
      return Change.NONE;
    }
    Map<String, DeletionVector> vectors = new LinkedHashMap<>();
    for (IndexFile file : plan.vectorFiles()) {
      vectors.putAll(read(plan, file));
    }
    marks.forEach(
        (name, marked) -> {
          DeletionVector known = vectors.getOrDefault(name, new DeletionVector());
          known.addAll(marked);
          vectors.put(name, known);
        });
    vectors.keySet().removeAll(gone);
    vectors.values().removeIf(DeletionVector::isEmpty);
    return new Change(
        vectors.isEmpty() ? List.of() : List.of(write(plan, vectors)), plan.vectorFiles());
  }

  private Change replaceTouched(
      CompactionPlan plan, Set<String> gone, Map<String, DeletionVector> marks) {
    Map<String, DeletionVector> growing = new LinkedHashMap<>(marks);
    growing.keySet().removeAll(gone);
    growing.values().removeIf(DeletionVector::isEmpty);
    Set<String> touched = new HashSet<>(gone);
    touched.addAll(growing.keySet());
    List<IndexFile> added = new ArrayList<>();
    List<IndexFile> removed = new ArrayList<>();
    for (IndexFile file : plan.vectorFiles()) {
      if (holdsAny(file, touched)) {
        removed.add(file);
        Map<String, DeletionVector> vectors = read(plan, file);
        vectors.keySet().removeAll(gone);
        grow(vectors, growing);
        growing.keySet().removeAll(vectors.keySet());
        writeAll(plan, vectors, added);
      }
    }
    writeAll(plan, growing, added);
    return new Change(added, removed);
  }

  /** Adds the rows of {@code marks} to the vectors that are there. */
  private static void grow(Map<String, DeletionVector> vectors, Map<String, DeletionVector> marks) {
    vectors.forEach(
        (name, vector) -> {
          DeletionVector marked = marks.get(name);
          if (marked != null) {
            vector.addAll(marked);
          }
        });
  }

  private void writeAll(
      CompactionPlan plan, Map<String, DeletionVector> vectors, List<IndexFile> added) {
    for (DeletionVectorFile content :
        DeletionVectorFile.encode(vectors, options.version(), options.targetFileBytes())) {
      added.add(write(plan, content));
    }
  }

  private static boolean holdsAny(IndexFile file, Set<String> names) {
    List<DeletionVectorRef> vectors = file.deletionVectors();
    return vectors != null && vectors.stream().anyMatch(ref -> names.contains(ref.dataFile()));
  }

  private Map<String, DeletionVector> read(CompactionPlan plan, IndexFile file) {
    Location place = addresses.indexFile(plan.partition(), plan.bucket(), file);
    return DeletionVectorFile.decode(io.read(place), file, place.path());
  }

  private IndexFile write(CompactionPlan plan, Map<String, DeletionVector> vectors) {
    return write(plan, DeletionVectorFile.encode(vectors, options.version()));
  }

  private IndexFile write(CompactionPlan plan, DeletionVectorFile content) {
    IndexFile file = content.toIndexFile(names.index());
    Location place = addresses.indexFile(plan.partition(), plan.bucket(), file);
    written.add(place);
    io.create(place, content.content());
    return file;
  }

  /** Every file that was begun. */
  public List<Location> written() {
    return List.copyOf(written);
  }

  /** Deletes every file that was begun. One that cannot be deleted is left to orphan removal. */
  public void discard() {
    for (Location file : written) {
      try {
        io.delete(file);
      } catch (UncheckedIOException e) {
        LOG.warn("Cannot delete {} of a compaction", file, e);
      }
    }
  }
}
