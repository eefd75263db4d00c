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

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.table.expiry.ManagedFolders.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.util.SerializableConfiguration;
import scala.Tuple2;

/** Lists the files of folders that were changed before a time, by their name. */
record ListOldFiles(SerializableConfiguration configuration, Instant olderThan)
    implements PairFlatMapFunction<Place, String, OldFile> {
  private static final long serialVersionUID = 1L;

  @Override
  public Iterator<Tuple2<String, OldFile>> call(Place place) {
    List<Tuple2<String, OldFile>> old = new ArrayList<>();
    place.forEachFile(
        HadoopFileIO.of(configuration.value()),
        file -> {
          if (file.modifiedMillis() < olderThan.toEpochMilli()) {
            old.add(new Tuple2<>(file.location().name(), OldFile.of(file)));
          }
        });
    return old.iterator();
  }
}
