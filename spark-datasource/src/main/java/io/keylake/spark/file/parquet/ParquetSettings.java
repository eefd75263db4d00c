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

import io.keylake.spark.file.encode.RowBatch;
import java.io.Serializable;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * How Parquet files are written.
 *
 * @param codec the compression of pages
 * @param codecLevel the level of a codec that has levels (zstd, gzip)
 * @param rowGroupBytes encoded bytes at which a row group ends; all of them are held in memory
 * @param pageBytes encoded bytes at which a page ends
 * @param pageRows rows at which a page ends
 * @param dictionaryBytes size at which a dictionary is given up
 * @param dictionaries which columns may use dictionaries
 * @param bloomFilters which columns get a bloom filter
 * @param checksums whether pages carry a CRC
 */
public record ParquetSettings(
    CompressionCodecName codec,
    int codecLevel,
    long rowGroupBytes,
    int pageBytes,
    int pageRows,
    int dictionaryBytes,
    PerColumn<Boolean> dictionaries,
    PerColumn<BloomFilterSize> bloomFilters,
    boolean checksums)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The format's defaults. */
  public static final ParquetSettings DEFAULT =
      new ParquetSettings(
          CompressionCodecName.ZSTD,
          1,
          128L << 20,
          ParquetProperties.DEFAULT_PAGE_SIZE,
          5 * RowBatch.MAX_ROWS,
          ParquetProperties.DEFAULT_DICTIONARY_PAGE_SIZE,
          new PerColumn<>(true, Map.of()),
          new PerColumn<>(BloomFilterSize.NONE, Map.of()),
          true);

  /**
   * A setting with exceptions.
   *
   * @param otherwise the value of columns that are not listed
   * @param columns values by column path, parts joined by dots
   */
  public record PerColumn<T extends Serializable>(T otherwise, Map<String, T> columns)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Copies the map. */
    public PerColumn {
      columns = Map.copyOf(columns);
    }

    /** The value of a column. */
    public T of(String column) {
      return columns.getOrDefault(column, otherwise);
    }
  }

  /**
   * The size of a bloom filter.
   *
   * @param distinctValues expected distinct values of a row group; 0 = use all of {@code maxBytes}
   * @param falsePositives accepted share of false positives
   * @param maxBytes the most bytes of a filter; 0 = no filter
   */
  public record BloomFilterSize(long distinctValues, double falsePositives, int maxBytes)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** No filter. */
    public static final BloomFilterSize NONE = new BloomFilterSize(0, 0.01, 0);
  }

  /** The same settings with row groups of another size. */
  public ParquetSettings withRowGroupBytes(long bytes) {
    return new ParquetSettings(
        codec,
        codecLevel,
        bytes,
        pageBytes,
        pageRows,
        dictionaryBytes,
        dictionaries,
        bloomFilters,
        checksums);
  }
}
