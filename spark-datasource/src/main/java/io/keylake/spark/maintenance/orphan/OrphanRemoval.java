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

package io.keylake.spark.maintenance.orphan;

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.Location;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.maintenance.StepJob;
import io.keylake.table.expiry.HistoryTable;
import io.keylake.table.expiry.ManagedFolders;
import io.keylake.table.expiry.ReferencedMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.Tuple3;

/**
 * Removes files that no version of a table names, and that are older than any commit under way.
 *
 * <ol>
 *   <li>First all folders are listed, by tasks; then the versions of all branches are read; then
 *       tasks read their manifests. So a file that was committed in between is named.
 *   <li>Names and files meet in a shuffle. Its second half, which deletes, starts when all of the
 *       first is done: a listing or a manifest that cannot be read fails the job before a file is
 *       deleted.
 *   <li>Where a version expires while its manifests are read, the versions are read anew, a few
 *       times.
 *   <li>The driver holds the names of the metadata files, not those of data files.
 * </ol>
 *
 * <p>Lives on the driver, for one thread. Rule source: table format, orphan cleaning; decision "one
 * way to delete".
 */
public final class OrphanRemoval {
  private static final int TRIES = 3;
  private static final int FOLDERS_PER_TASK = 4;

  private final JavaSparkContext spark;
  private final HistoryTable table;
  private final TaskConfiguration configuration;

  /** The removal of a table's orphans; which branch it is seen through does not matter. */
  public OrphanRemoval(SparkContext spark, HistoryTable table) {
    this.spark = JavaSparkContext.fromSparkContext(spark);
    this.table = table;
    this.configuration = TaskConfiguration.of(table.storage().io());
  }

  /**
   * Removes orphans, or counts them.
   *
   * @throws CorruptTableException when a version, a manifest or a branch cannot be read: nothing is
   *     deleted then
   */
  public OrphanSummary run(OrphanRequest request) {
    String name = table.storage().name();
    try (StepJob.JobLabel label =
        StepJob.label(
            spark.sc(), "keylake-orphans-" + name, "Removal of orphan files of " + name)) {
      assert label != null;
      return labelled(request);
    }
  }

  private OrphanSummary labelled(OrphanRequest request) {
    List<ManagedFolders.Place> places =
        ManagedFolders.of(table, FOLDERS_PER_TASK * request.parallelism());
    JavaPairRDD<String, Tuple3<String, Long, Long>> files =
        positions(places.size(), request)
            .flatMapToPair(
                new ListOldFiles(
                    configuration,
                    request.olderThan(),
                    new ListOldFiles.Folders(new ArrayList<>(places))));
    // A listing that is lost must not be made again after the versions were read.
    files.rdd().localCheckpoint();
    try {
      long listed = files.count();
      return listed == 0 ? OrphanSummary.NOTHING : removed(files, listed, request);
    } finally {
      files.unpersist();
    }
  }

  private OrphanSummary removed(
      JavaPairRDD<String, Tuple3<String, Long, Long>> files, long listed, OrphanRequest request) {
    for (int tries = 1; ; tries++) {
      try {
        return removedOnce(files, listed, request);
      } catch (Exception e) {
        // A task that fails is a SparkException: a checked one, though nothing declares it.
        CorruptTableException cause = corrupt(e);
        if (cause == null) {
          throw e;
        }
        if (tries == TRIES) {
          throw cause;
        }
      }
    }
  }

  private static @Nullable CorruptTableException corrupt(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CorruptTableException corrupt) {
        return corrupt;
      }
    }
    return null;
  }

  private OrphanSummary removedOnce(
      JavaPairRDD<String, Tuple3<String, Long, Long>> files, long listed, OrphanRequest request) {
    ReferencedMetadata metadata = ReferencedMetadata.of(table.storage());
    Location root = table.storage().layout().root();
    JavaPairRDD<String, Boolean> named =
        positions(metadata.sources().size(), request)
            .flatMapToPair(
                new ReadNames(
                    configuration,
                    root,
                    new ReadNames.Sources(new ArrayList<>(metadata.sources()))));
    List<Tuple2<String, Boolean>> names = new ArrayList<>();
    metadata.names().forEach(name -> names.add(new Tuple2<>(name, true)));
    JavaPairRDD<String, Boolean> known = spark.parallelizePairs(names, 1);
    int reducers = (int) Math.max(request.parallelism(), listed / 100_000);
    JavaRDD<Tuple3<Long, Long, Long>> parts =
        files
            .cogroup(named.union(known), reducers)
            .mapPartitions(new RemoveUnnamed(configuration, request));
    OrphanSummary summary = OrphanSummary.NOTHING;
    for (Tuple3<Long, Long, Long> part : parts.collect()) {
      summary = summary.and(new OrphanSummary(part._1(), part._2(), part._3()));
    }
    return summary;
  }

  private JavaRDD<Integer> positions(int pieces, OrphanRequest request) {
    return spark.parallelize(
        IntStream.range(0, pieces).boxed().toList(),
        Math.max(1, Math.min(pieces, FOLDERS_PER_TASK * request.parallelism())));
  }
}
