package io.keylake.table.split;

import io.keylake.format.deletionvector.DeletionVectorRef;
import java.io.Serializable;

/**
 * The deletion vector of a data file, by the place where it is stored.
 *
 * @param path full address of the index file that holds it
 * @param ref where in that file
 */
public record StoredVector(String path, DeletionVectorRef ref) implements Serializable {
  private static final long serialVersionUID = 1L;
}
