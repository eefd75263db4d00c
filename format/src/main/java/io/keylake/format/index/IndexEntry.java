package io.keylake.format.index;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/**
 * A live index file with the bucket it belongs to: one record of an index manifest.
 *
 * @param partition the bucket's partition values
 * @param bucket the bucket's number
 * @param file the index file
 */
public record IndexEntry(BinaryRow partition, int bucket, IndexFile file) implements Serializable {
  private static final long serialVersionUID = 1L;
}
