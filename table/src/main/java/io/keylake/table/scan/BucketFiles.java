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

package io.keylake.table.scan;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.index.IndexFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The live files of one bucket that a scan needs.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param totalBuckets number of buckets of the partition; -1 for dynamic and unaware tables
 * @param files in the order of the manifests
 * @param vectors deletion vectors by name of the data file
 * @param vectorFiles the index files that hold the deletion vectors of the bucket; those of an
 *     append table without buckets belong to bucket 0 of their partition
 * @param probesOnly names of files none of whose rows is wanted: they need not be scanned, but may
 *     hide rows of others
 */
public record BucketFiles(
    BinaryRow partition,
    int bucket,
    int totalBuckets,
    List<DataFile> files,
    Map<String, IndexedVector> vectors,
    List<IndexFile> vectorFiles,
    Set<String> probesOnly)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the collections. */
  public BucketFiles {
    files = List.copyOf(files);
    vectors = Map.copyOf(vectors);
    vectorFiles = List.copyOf(vectorFiles);
    probesOnly = Set.copyOf(probesOnly);
  }

  /** Whether a file has to be scanned. */
  public boolean isUnit(DataFile file) {
    return !probesOnly.contains(file.name());
  }

  /** Whether any file has to be scanned. */
  public boolean hasUnits() {
    return files.stream().anyMatch(this::isUnit);
  }

  /** The files that have to be scanned. */
  public List<DataFile> units() {
    return files.stream().filter(this::isUnit).toList();
  }

  /** The same bucket with more files, as they will be once a writer has committed them. */
  public BucketFiles withAdded(List<DataFile> added) {
    List<DataFile> all = new ArrayList<>(files);
    all.addAll(added);
    return new BucketFiles(partition, bucket, totalBuckets, all, vectors, vectorFiles, probesOnly);
  }

  /** The same bucket with some of its files. */
  BucketFiles with(Collection<DataFile> kept, Set<String> newProbesOnly) {
    Map<String, IndexedVector> keptVectors = new HashMap<>();
    for (DataFile file : kept) {
      IndexedVector vector = vectors.get(file.name());
      if (vector != null) {
        keptVectors.put(file.name(), vector);
      }
    }
    return new BucketFiles(
        partition,
        bucket,
        totalBuckets,
        List.copyOf(kept),
        keptVectors,
        vectorFiles,
        newProbesOnly);
  }
}
