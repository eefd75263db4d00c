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

package io.keylake.spark.file.parquet;

import io.keylake.format.row.BinaryRow;
import io.keylake.spark.file.encode.ColumnRange;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.jspecify.annotations.Nullable;

/**
 * A row group of a stored file. Usable while its {@link RowGroupSource} is open; for one thread.
 */
public final class RowGroup {
  /**
   * The keys at both ends of a row group.
   *
   * @param first the key of its first row
   * @param last the key of its last row
   */
  public record Keys(BinaryRow first, BinaryRow last) {}

  private final RowGroupSource source;
  private final BlockMetaData block;
  private final int index;
  private final List<@Nullable ColumnRange> ranges;
  private @Nullable Keys keys;

  /** {@code ranges} has one element per column; it is empty when the row group is not copied. */
  RowGroup(
      RowGroupSource source, BlockMetaData block, int index, List<@Nullable ColumnRange> ranges) {
    this.source = source;
    this.block = block;
    this.index = index;
    this.ranges = ranges;
  }

  /** Whether it may be copied into a new file as it is. */
  public boolean isCopyable() {
    return !ranges.isEmpty();
  }

  /** The number of rows. */
  public long rows() {
    return block.getRowCount();
  }

  /** The number of rows before it in its file. */
  public long firstRow() {
    return block.getRowIndexOffset();
  }

  /** Its first byte in the file. */
  public long start() {
    return block.getStartingPos();
  }

  /** Its size in the file. */
  public long bytes() {
    return block.getCompressedSize();
  }

  /**
   * What is known of a column's values when it may be copied; null for nested columns.
   *
   * @param column a position among the columns of the file
   */
  public @Nullable ColumnRange range(int column) {
    return ranges.get(column);
  }

  /** The keys at its ends, found at the first call. */
  public Keys keys() throws IOException {
    Keys known = keys;
    if (known == null) {
      known = source.keys(this, index);
      keys = known;
    }
    return known;
  }

  /** Copies its bytes, with their indexes and bloom filters, to the end of an open file. */
  void copyTo(ParquetFileWriter writer) throws IOException {
    source.copy(block, writer);
  }
}
