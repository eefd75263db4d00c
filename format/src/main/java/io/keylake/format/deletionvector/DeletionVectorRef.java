package io.keylake.format.deletionvector;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Where the deletion vector of one data file is stored.
 *
 * @param dataFile name of the data file whose rows it deletes
 * @param offset position of the vector's size field in the index file
 * @param length as stored: for version 1 without, for version 2 with the size and CRC fields
 * @param cardinality number of deleted rows; null = unknown
 */
public record DeletionVectorRef(
    String dataFile, int offset, int length, @Nullable Long cardinality) implements Serializable {
  private static final long serialVersionUID = 1L;
}
