package io.keylake.format.stats;

import io.keylake.format.row.BinaryRow;
import java.io.Serializable;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Minimum, maximum and null count of some columns over the rows of a file.
 *
 * @param minValues one field per covered column; NULL = unknown or all NULL
 * @param maxValues likewise
 * @param nullCounts one per covered column; a null element = unknown
 */
public record ColumnStats(
    BinaryRow minValues, BinaryRow maxValues, List<@Nullable Long> nullCounts)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Statistics of no column. */
  public static final ColumnStats EMPTY =
      new ColumnStats(BinaryRow.EMPTY, BinaryRow.EMPTY, List.of());

  /** Copies the list. */
  public ColumnStats {
    nullCounts = Collections.unmodifiableList(new ArrayList<>(nullCounts));
  }
}
