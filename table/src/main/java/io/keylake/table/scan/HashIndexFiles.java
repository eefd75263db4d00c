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

import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Ids;
import io.keylake.format.fileio.Location;
import io.keylake.format.index.HashIndexCodec;
import io.keylake.format.index.IndexEntry;
import io.keylake.format.index.IndexFile;
import io.keylake.format.layout.MetadataFileNames;
import io.keylake.format.row.BinaryRow;

/** Reads and writes the hash indexes of a table with dynamic buckets. Safe for many threads. */
public final class HashIndexFiles {
  private final FileIO io;
  private final FileAddresses addresses;
  private final MetadataFileNames names;

  /** The indexes of the table whose files {@code addresses} places. */
  public HashIndexFiles(FileIO io, FileAddresses addresses, Ids ids) {
    this.io = io;
    this.addresses = addresses;
    this.names = new MetadataFileNames(ids);
  }

  /** The hashes of an index, in the order in which they are stored. */
  public int[] read(IndexEntry index) {
    Location file = location(index);
    return HashIndexCodec.read(io.read(file), file.path());
  }

  /** A new name for an index of these hashes, which are distinct. */
  public IndexEntry create(BinaryRow partition, int bucket, int[] hashes) {
    long bytes = (long) hashes.length * Integer.BYTES;
    return new IndexEntry(
        partition,
        bucket,
        new IndexFile(IndexFile.HASH, names.index(), bytes, hashes.length, null, null, null));
  }

  /** Writes the index that {@link #create} named. */
  public void write(IndexEntry index, int[] hashes) {
    io.create(location(index), HashIndexCodec.write(hashes));
  }

  /** Where an index is. */
  public Location location(IndexEntry index) {
    return addresses.indexFile(index.partition(), index.bucket(), index.file());
  }
}
