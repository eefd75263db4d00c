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

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.table.expiry.FileRemoval;
import io.keylake.table.expiry.UnneededFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.function.FlatMapFunction;
import scala.Tuple2;
import scala.Tuple3;

/**
 * Removes the files whose name no manifest names, some at a time: what arrives is complete, since
 * Spark starts this only when every folder is listed and every manifest read.
 */
record RemoveUnnamed(TaskConfiguration configuration, OrphanRequest request)
    implements FlatMapFunction<
        Iterator<Tuple2<String, Tuple2<Iterable<Tuple3<String, Long, Long>>, Iterable<Boolean>>>>,
        Tuple3<Long, Long, Long>> {
  private static final long serialVersionUID = 1L;
  private static final int TOGETHER = 1000;

  @Override
  public Iterator<Tuple3<Long, Long, Long>> call(
      Iterator<Tuple2<String, Tuple2<Iterable<Tuple3<String, Long, Long>>, Iterable<Boolean>>>>
          names) {
    Batch batch = new Batch();
    while (names.hasNext()) {
      Tuple2<String, Tuple2<Iterable<Tuple3<String, Long, Long>>, Iterable<Boolean>>> name =
          names.next();
      Iterator<Tuple3<String, Long, Long>> files = name._2()._1().iterator();
      if (files.hasNext() && name._2()._2().iterator().hasNext()) {
        batch.referenced.add(name._1());
      }
      files.forEachRemaining(file -> batch.files.add(ListOldFiles.unpacked(file)));
      if (batch.files.size() >= TOGETHER) {
        batch.remove();
      }
    }
    batch.remove();
    OrphanSummary found = batch.summary;
    return List.of(new Tuple3<>(found.files(), found.bytes(), found.failed())).iterator();
  }

  /** Files that are decided together, and the total so far. */
  private final class Batch {
    private final List<FileStatus> files = new ArrayList<>();
    private final Set<String> referenced = new HashSet<>();
    private OrphanSummary summary = OrphanSummary.NOTHING;

    void remove() {
      Instant olderThan = request.olderThan();
      UnneededFiles orphans = UnneededFiles.orphans(files, olderThan, referenced::contains);
      FileRemoval.Removed removed =
          switch (request.execution()) {
            case RUN -> new FileRemoval(HadoopFileIO.of(configuration.value())).delete(orphans);
            case DRY_RUN -> new FileRemoval.Removed(orphans.files().size(), 0);
          };
      long bytes =
          files.stream()
              .filter(file -> !referenced.contains(file.location().name()))
              .mapToLong(FileStatus::length)
              .sum();
      summary = summary.and(new OrphanSummary(removed.deleted(), bytes, removed.failed()));
      files.clear();
      referenced.clear();
    }
  }
}
