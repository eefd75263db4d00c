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
import io.keylake.format.fileio.Location;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.table.expiry.ManagedFolders.Place;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;
import scala.Tuple3;

/**
 * Lists the files of folders that were changed before a time, by their name. What travels between
 * tasks are tuples of plain values, which any serializer of Spark's takes.
 *
 * @param places the folders; tasks get their positions
 */
record ListOldFiles(TaskConfiguration configuration, Instant olderThan, Folders places)
    implements PairFlatMapFunction<Integer, String, Tuple3<String, Long, Long>> {
  private static final long serialVersionUID = 1L;

  /** Folders, in the closure of a job. */
  record Folders(ArrayList<Place> all) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public Iterator<Tuple2<String, Tuple3<String, Long, Long>>> call(Integer position) {
    List<Tuple2<String, Tuple3<String, Long, Long>>> old = new ArrayList<>();
    places
        .all()
        .get(position)
        .forEachFile(
            HadoopFileIO.of(configuration.value()),
            file -> {
              if (file.modifiedMillis() < olderThan.toEpochMilli()) {
                old.add(new Tuple2<>(file.location().name(), packed(file)));
              }
            });
    return old.iterator();
  }

  private static Tuple3<String, Long, Long> packed(FileStatus file) {
    return new Tuple3<>(file.location().path(), file.length(), file.modifiedMillis());
  }

  /** The file that travelled. */
  static FileStatus unpacked(Tuple3<String, Long, Long> file) {
    return new FileStatus(new Location(file._1()), file._2(), file._3(), false);
  }
}
