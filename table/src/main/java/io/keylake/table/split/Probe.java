package io.keylake.table.split;

import io.keylake.format.datafile.DataFile;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A file of another sorted run of the same section that may hold newer versions of a unit's keys. Only its keys are read; no value filter may ever be applied to it.
 *
 * @param path full address of the file
 * @param file the file, without statistics
 * @param runRank position of its run in the order newest first (level 0 by the format's order, then lower level first); decides when sequence numbers are equal
 * @param compareSequence whether sequence numbers (and user sequence fields) must be compared row by row; false when every row of the probe is newer than every row of the unit
 * @param vector its deletion vector, whose rows are dropped before anything is masked; null when there is none
 */
public record Probe(
    String path,
    DataFile file,
    int runRank,
    boolean compareSequence,
    @Nullable StoredVector vector)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
