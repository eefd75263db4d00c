package io.keylake.format.manifest;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/**
 * One record of a manifest: a data file that was added or removed.
 *
 * @param kind added or removed
 * @param partition values of the partition columns
 * @param bucket bucket number; -2 = staged by a postpone writer
 * @param totalBuckets number of buckets of the partition when written; -1 for dynamic and unaware tables, -2 postpone
 * @param file the file
 */
public record ManifestEntry(
    EntryKind kind, BinaryRow partition, int bucket, int totalBuckets, DataFile file)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The entry that removes what this one adds, repeating all of it as the format asks. */
  public ManifestEntry asDelete() {
    return new ManifestEntry(EntryKind.DELETE, partition, bucket, totalBuckets, file);
  }
}
