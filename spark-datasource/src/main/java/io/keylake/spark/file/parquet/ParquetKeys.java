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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.file.parquet.ParquetSettings.BloomFilterSize;
import io.keylake.spark.file.parquet.ParquetSettings.PerColumn;
import io.keylake.table.options.DataFileOptions;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.parquet.hadoop.codec.ZstandardCodec;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Reads {@link ParquetSettings} from a table's options: the format's own keys and the settings of
 * the Parquet library ({@code parquet.<name>}, with {@code #column} for one column) that say how
 * files are written. One that this version cannot carry out is refused by name.
 */
public final class ParquetKeys {
  private static final String MAX_BLOOM_BYTES = ParquetOutputFormat.BLOOM_FILTER_MAX_BYTES;
  private static final Set<String> READER_PREFIXES =
      Set.of("parquet.filter.", "parquet.read.", "parquet.avro.read", "parquet.hadoop.");
  private static final Set<String> KNOWN =
      Set.of(
          ParquetOutputFormat.BLOCK_SIZE,
          ParquetOutputFormat.PAGE_SIZE,
          ParquetOutputFormat.PAGE_ROW_COUNT_LIMIT,
          ParquetOutputFormat.DICTIONARY_PAGE_SIZE,
          ParquetOutputFormat.ENABLE_DICTIONARY,
          ParquetOutputFormat.PAGE_WRITE_CHECKSUM_ENABLED,
          ParquetOutputFormat.COMPRESSION,
          ParquetOutputFormat.BLOOM_FILTER_ENABLED,
          ParquetOutputFormat.BLOOM_FILTER_EXPECTED_NDV,
          ParquetOutputFormat.BLOOM_FILTER_FPP,
          MAX_BLOOM_BYTES,
          ZstandardCodec.PARQUET_COMPRESS_ZSTD_LEVEL);

  private final Map<String, String> values;

  private ParquetKeys(Map<String, String> values) {
    this.values = values;
  }

  /**
   * The settings of new files of {@code level}.
   *
   * @throws UnsupportedTableException with KEYLAKE_UNSUPPORTED_OPTION
   * @throws InvalidRequestException with KEYLAKE_INVALID_OPTION
   */
  public static ParquetSettings settings(DataFileOptions options, int level) {
    ParquetKeys keys = new ParquetKeys(new TreeMap<>(options.parquet()));
    keys.refuseUnknown();
    Long blockBytes = options.blockBytes();
    ParquetSettings defaults = ParquetSettings.DEFAULT;
    return new ParquetSettings(
        codec(
            options
                .parquet()
                .getOrDefault(ParquetOutputFormat.COMPRESSION, options.compression(level))),
        (int) keys.number(ZstandardCodec.PARQUET_COMPRESS_ZSTD_LEVEL, options.zstdLevel(), 1),
        blockBytes != null
            ? blockBytes
            : keys.number(ParquetOutputFormat.BLOCK_SIZE, defaults.rowGroupBytes(), 1),
        (int) keys.number(ParquetOutputFormat.PAGE_SIZE, defaults.pageBytes(), 1),
        (int) keys.number(ParquetOutputFormat.PAGE_ROW_COUNT_LIMIT, defaults.pageRows(), 1),
        (int) keys.number(ParquetOutputFormat.DICTIONARY_PAGE_SIZE, defaults.dictionaryBytes(), 0),
        new PerColumn<>(options.dictionary(), keys.switches(ParquetOutputFormat.ENABLE_DICTIONARY)),
        keys.bloomFilters(),
        keys.flag(ParquetOutputFormat.PAGE_WRITE_CHECKSUM_ENABLED, true));
  }

  private void refuseUnknown() {
    values.forEach(
        (key, value) -> {
          int column = key.indexOf('#');
          String name = column < 0 ? key : key.substring(0, column);
          boolean forReaders = READER_PREFIXES.stream().anyMatch(name::startsWith);
          boolean isDefaultVersion =
              name.equals(ParquetOutputFormat.WRITER_VERSION)
                  && Set.of("v1", "PARQUET_1_0").contains(value);
          if (!KNOWN.contains(name) && !forReaders && !isDefaultVersion) {
            throw new UnsupportedTableException(
                Condition.KEYLAKE_UNSUPPORTED_OPTION,
                "Option '"
                    + key
                    + "' = '"
                    + value
                    + "' is not supported for writing. Remove it; settings of the Parquet library"
                    + " that apply are "
                    + String.join(", ", new java.util.TreeSet<>(KNOWN))
                    + ".");
          }
        });
  }

  private static CompressionCodecName codec(String name) {
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "zstd" -> CompressionCodecName.ZSTD;
      case "none", "uncompressed", "" -> CompressionCodecName.UNCOMPRESSED;
      case "snappy" -> CompressionCodecName.SNAPPY;
      case "gzip" -> CompressionCodecName.GZIP;
      case "lz4", "lz4_raw" -> CompressionCodecName.LZ4_RAW;
      default ->
          throw new UnsupportedTableException(
              Condition.KEYLAKE_UNSUPPORTED_OPTION,
              "Option 'file.compression' = '"
                  + name
                  + "' is not supported for Parquet files. Use zstd, snappy, lz4, gzip or none.");
    };
  }

  private long number(String key, long otherwise, long least) {
    String text = values.get(key);
    if (text == null) {
      return otherwise;
    }
    return number(key, text, least);
  }

  private static long number(String key, String text, long least) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= least && (value <= Integer.MAX_VALUE || isWide(key))) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid(key, text, "a whole number of at least " + least, e);
    }
    throw invalid(key, text, "a whole number of at least " + least, null);
  }

  private static boolean isWide(String key) {
    return key.startsWith(ParquetOutputFormat.BLOCK_SIZE)
        || key.startsWith(ParquetOutputFormat.BLOOM_FILTER_EXPECTED_NDV);
  }

  private boolean flag(String key, boolean otherwise) {
    String text = values.get(key);
    return text == null ? otherwise : flag(key, text);
  }

  private static boolean flag(String key, String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(key, text, "true or false", null);
    };
  }

  private static double share(String key, String text) {
    try {
      double value = Double.parseDouble(text.strip());
      if (value > 0 && value < 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid(key, text, "a number between 0 and 1", e);
    }
    throw invalid(key, text, "a number between 0 and 1", null);
  }

  private Map<String, Boolean> switches(String key) {
    Map<String, Boolean> columns = new HashMap<>();
    perColumn(key).forEach((column, text) -> columns.put(column, flag(key, text)));
    return columns;
  }

  private PerColumn<BloomFilterSize> bloomFilters() {
    int maxBytes =
        (int) number(MAX_BLOOM_BYTES, ParquetProperties.DEFAULT_MAX_BLOOM_FILTER_BYTES, 1);
    String fppKey = ParquetOutputFormat.BLOOM_FILTER_FPP;
    double fpp = share(fppKey, values.getOrDefault(fppKey, "0.01"));
    Map<String, String> fpps = perColumn(fppKey);
    Map<String, String> counts = perColumn(ParquetOutputFormat.BLOOM_FILTER_EXPECTED_NDV);
    Map<String, BloomFilterSize> columns = new HashMap<>();
    perColumn(ParquetOutputFormat.BLOOM_FILTER_ENABLED)
        .forEach(
            (column, text) -> {
              boolean wanted = flag(ParquetOutputFormat.BLOOM_FILTER_ENABLED, text);
              String count = counts.getOrDefault(column, "0");
              columns.put(
                  column,
                  new BloomFilterSize(
                      number(ParquetOutputFormat.BLOOM_FILTER_EXPECTED_NDV, count, 0),
                      fpps.containsKey(column) ? share(fppKey, fpps.get(column)) : fpp,
                      wanted ? maxBytes : 0));
            });
    boolean all = flag(ParquetOutputFormat.BLOOM_FILTER_ENABLED, false);
    return new PerColumn<>(new BloomFilterSize(0, fpp, all ? maxBytes : 0), columns);
  }

  /** The values that {@code key} has for single columns. */
  private Map<String, String> perColumn(String key) {
    String prefix = key + "#";
    Map<String, String> columns = new HashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            columns.put(name.substring(prefix.length()), value);
          }
        });
    return columns;
  }

  private static InvalidRequestException invalid(
      String key, String text, String allowed, @org.jspecify.annotations.Nullable Throwable cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "Invalid value '" + text + "' of option '" + key + "'. Allowed: " + allowed + ".",
        cause);
  }
}
