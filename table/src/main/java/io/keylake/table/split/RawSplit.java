package io.keylake.table.split;

import io.keylake.format.row.BinaryRow;
import java.util.List;

/**
 * Files that need no merging: their batches are handed on as they are, but for deletion vectors.
 *
 * @param partition values of the partition columns
 * @param bucket the bucket's number
 * @param units in the order in which they are read; none has probes
 */
public record RawSplit(BinaryRow partition, int bucket, List<ScanUnit> units) implements Split {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public RawSplit {
    units = List.copyOf(units);
  }

  @Override
  public long size() {
    return units.stream().mapToLong(ScanUnit::length).sum();
  }

  @Override
  public long rowCount() {
    return MergeSplit.rows(units);
  }
}
