package io.keylake.table.commit;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/**
 * What a task wrote into one bucket: the message it sends to the committer.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param totalBuckets number of buckets of the partition; -1 for dynamic and unaware tables, -2 postpone
 * @param written what the write itself changed: the APPEND or OVERWRITE snapshot
 * @param compacted what compaction changed: the COMPACT snapshot
 */
public record BucketChange(
    BinaryRow partition,
    int bucket,
    int totalBuckets,
    FileChanges written,
    FileChanges compacted)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
