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

package io.keylake.table.options;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How data files are written.
 *
 * @param format the format of levels that {@code formatPerLevel} does not name
 * @param formatPerLevel the format of a level
 * @param compression the codec of levels that {@code compressionPerLevel} does not name
 * @param compressionPerLevel the codec of a level
 * @param zstdLevel level of the zstd codec
 * @param blockBytes size of a row group or stripe; null = the format's default
 * @param targetFileBytes size at which the next file is started
 * @param deltaEncodedKeys whether Parquet stores integer keys and sequence numbers as differences
 * @param dictionary whether Parquet uses dictionaries
 * @param thinMode whether key columns that repeat columns of the table are left out
 * @param parquet the settings of the Parquet library by their full names, {@code parquet.<name>}
 */
public record DataFileOptions(
    Format format,
    Map<Integer, Format> formatPerLevel,
    String compression,
    Map<Integer, String> compressionPerLevel,
    int zstdLevel,
    @Nullable Long blockBytes,
    long targetFileBytes,
    boolean deltaEncodedKeys,
    boolean dictionary,
    boolean thinMode,
    Map<String, String> parquet)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String PARQUET_PREFIX = "parquet.";
  private static final MemorySize KEYED_TARGET = MemorySize.ofMebiBytes(128);
  private static final MemorySize APPEND_TARGET = MemorySize.ofMebiBytes(256);

  /** The formats of data files. */
  public enum Format {
    PARQUET,
    ORC,
    AVRO;

    /** The name in options and the extension of files. */
    public String identifier() {
      return OptionType.spell(this);
    }
  }

  /** Copies the maps. */
  public DataFileOptions {
    formatPerLevel = Map.copyOf(formatPerLevel);
    compressionPerLevel = Map.copyOf(compressionPerLevel);
    parquet = Map.copyOf(parquet);
  }

  static DataFileOptions of(TableSchema schema, Map<String, String> values) {
    MemorySize target = schema.hasPrimaryKey() ? KEYED_TARGET : APPEND_TARGET;
    return new DataFileOptions(
        StorageKeys.FILE_FORMAT.read(values),
        perLevel(
            StorageKeys.FILE_FORMAT_PER_LEVEL,
            values,
            (key, text) -> StorageKeys.FILE_FORMAT.parse(text)),
        StorageKeys.FILE_COMPRESSION.read(values),
        perLevel(StorageKeys.FILE_COMPRESSION_PER_LEVEL, values, (key, text) -> text),
        StorageKeys.ZSTD_LEVEL.read(values),
        StorageKeys.FILE_BLOCK_SIZE.find(values).map(MemorySize::bytes).orElse(null),
        StorageKeys.TARGET_FILE_SIZE.find(values).orElse(target).bytes(),
        StorageKeys.PARQUET_DELTA_KEYS.read(values),
        StorageKeys.PARQUET_DICTIONARY.read(values),
        StorageKeys.THIN_MODE.read(values),
        values.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith(PARQUET_PREFIX))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /**
   * The same options for files of every level that have this format and codec; null = as before.
   */
  public DataFileOptions ofChangelog(@Nullable Format newFormat, @Nullable String newCompression) {
    return new DataFileOptions(
        newFormat == null ? format : newFormat,
        Map.of(),
        newCompression == null ? compression : newCompression,
        Map.of(),
        zstdLevel,
        blockBytes,
        targetFileBytes,
        deltaEncodedKeys,
        dictionary,
        thinMode,
        parquet);
  }

  /** The format of new files of {@code level}. */
  public Format format(int level) {
    return formatPerLevel.getOrDefault(level, format);
  }

  /** The codec of new files of {@code level}. */
  public String compression(int level) {
    return compressionPerLevel.getOrDefault(level, compression);
  }

  /** Parses a map from level to value. */
  static <T> Map<Integer, T> perLevel(
      OptionKey<Map<String, String>> key,
      Map<String, String> values,
      BiFunction<String, String, T> parser) {
    Map<Integer, T> perLevel = new HashMap<>();
    key.read(values)
        .forEach((level, text) -> perLevel.put(level(key, level), parser.apply(key.name(), text)));
    return perLevel;
  }

  private static int level(OptionKey<?> key, String text) {
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "Invalid level '" + text + "' in option '" + key.name() + "'. Allowed: whole numbers.",
          e);
    }
  }
}
