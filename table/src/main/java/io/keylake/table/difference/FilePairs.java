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

package io.keylake.table.difference;

import io.keylake.format.datafile.DataFile;
import io.keylake.table.difference.DifferenceFile.Place;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.IndexedVector;
import io.keylake.table.split.StoredVector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of two states, each once, by their addresses. */
final class FilePairs {
  private final FileAddresses addresses;
  private final Map<String, DifferenceFile> files = new LinkedHashMap<>();

  FilePairs(FileAddresses addresses) {
    this.addresses = addresses;
  }

  void addBefore(BucketFiles bucket, DataFile file, int runRank) {
    String path = path(bucket, file);
    files.put(
        path, new DifferenceFile(path, file.withoutStats(), place(bucket, file, runRank), null));
  }

  void addAfter(BucketFiles bucket, DataFile file, int runRank) {
    String path = path(bucket, file);
    DifferenceFile known = files.get(path);
    files.put(
        path,
        new DifferenceFile(
            path,
            file.withoutStats(),
            known == null ? null : known.before(),
            place(bucket, file, runRank)));
  }

  private String path(BucketFiles bucket, DataFile file) {
    return addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
  }

  private static Place place(BucketFiles bucket, DataFile file, int runRank) {
    @Nullable IndexedVector vector = bucket.vectors().get(file.name());
    return new Place(
        file.level(),
        runRank,
        vector == null ? null : new StoredVector(vector.path(), vector.ref()));
  }

  List<DifferenceFile> files() {
    return List.copyOf(files.values());
  }
}
