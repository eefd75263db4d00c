package io.keylake.table.split;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;

/** A unit of read work inside one bucket. A task reads one or more splits. */
public sealed interface Split extends Serializable permits RawSplit, MergeSplit {
  /** Values of the partition columns. */
  BinaryRow partition();

  /** The bucket's number. */
  int bucket();

  /** Bytes to be read, probes not counted. */
  long size();

  /** Physical rows to be read, probes not counted; an estimate when a unit is part of a file. */
  long rowCount();
}
