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
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.index.BitmapIndex;
import io.keylake.format.index.BloomFilterIndex;
import io.keylake.format.index.FileIndexes;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file indexes that new data files get.
 *
 * @param indexes one for each column and type
 * @param embeddedBytes size up to which the indexes of a file are kept in its manifest entry
 */
public record FileIndexOptions(List<Index> indexes, long embeddedBytes) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No indexes. */
  public static final FileIndexOptions NONE = new FileIndexOptions(List.of(), 0);

  private static final Pattern COLUMNS = Pattern.compile("file-index\\.([^.]+)\\.columns");
  private static final String PREFIX = "file-index.";
  private static final String THRESHOLD = "file-index.in-manifest-threshold";
  private static final long DEFAULT_EMBEDDED_BYTES = 500;
  private static final long DEFAULT_ITEMS = 1_000_000;
  private static final double DEFAULT_FALSE_POSITIVES = 0.1;
  private static final long DEFAULT_BLOCK_BYTES = 16 * 1024;

  /** An index of one column. */
  public sealed interface Index extends Serializable permits BloomFilter, Bitmap {
    /** The indexed column. */
    DataField column();

    /** The same index of another column; empty when it cannot hold values of its type. */
    Optional<Index> on(DataField other);
  }

  /**
   * A Bloom filter.
   *
   * @param column the indexed column
   * @param items expected distinct values of a file
   * @param falsePositives accepted share of wrong answers, between 0 and 1
   */
  public record BloomFilter(DataField column, long items, double falsePositives) implements Index {
    private static final long serialVersionUID = 1L;

    @Override
    public Optional<Index> on(DataField other) {
      return BloomFilterIndex.supports(other.type())
          ? Optional.of(new BloomFilter(other, items, falsePositives))
          : Optional.empty();
    }
  }

  /**
   * A bitmap index.
   *
   * @param column the indexed column
   * @param blockBytes size of a block of its dictionary
   */
  public record Bitmap(DataField column, int blockBytes) implements Index {
    private static final long serialVersionUID = 1L;

    @Override
    public Optional<Index> on(DataField other) {
      return BitmapIndex.supports(other.type())
          ? Optional.of(new Bitmap(other, blockBytes))
          : Optional.empty();
    }
  }

  /** Copies the list. */
  public FileIndexOptions {
    indexes = List.copyOf(indexes);
  }

  /**
   * The indexes that a file can have that is there already: of the columns as its schema has them,
   * without columns that it lacks or stores in a type that such an index cannot hold.
   */
  public FileIndexOptions storedIn(TableSchema fileSchema) {
    List<Index> stored = new ArrayList<>();
    for (Index index : indexes) {
      int place = fileSchema.rowType().indexOfId(index.column().id());
      if (place >= 0) {
        index.on(fileSchema.fields().get(place)).ifPresent(stored::add);
      }
    }
    return new FileIndexOptions(stored, embeddedBytes);
  }

  static FileIndexOptions of(TableSchema schema, Map<String, String> values) {
    List<Index> indexes = new ArrayList<>();
    for (Map.Entry<String, String> option : new TreeMap<>(values).entrySet()) {
      Matcher matcher = COLUMNS.matcher(option.getKey());
      if (matcher.matches()) {
        for (String column : option.getValue().split(",", -1)) {
          indexes.add(index(schema, values, matcher.group(1), column.strip(), option.getKey()));
        }
      }
    }
    String threshold = values.get(THRESHOLD);
    return new FileIndexOptions(
        indexes, threshold == null ? DEFAULT_EMBEDDED_BYTES : MemorySize.parse(threshold).bytes());
  }

  private static Index index(
      TableSchema schema, Map<String, String> values, String type, String name, String option) {
    if (name.indexOf('[') >= 0) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          "Option '"
              + option
              + "' names "
              + name
              + ": an index of one key of a map is not supported. Name plain columns.");
    }
    DataField column =
        schema
            .rowType()
            .field(name)
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        Condition.KEYLAKE_COLUMN_NOT_FOUND,
                        "Option '"
                            + option
                            + "' names the column '"
                            + name
                            + "', which does not exist. Columns: "
                            + String.join(", ", schema.rowType().names())
                            + "."));
    String prefix = PREFIX + type + "." + name + ".";
    return switch (type) {
      case FileIndexes.BLOOM_FILTER -> {
        requireType(BloomFilterIndex.supports(column.type()), option, column);
        yield new BloomFilter(
            column, items(values, prefix + "items"), falsePositives(values, prefix + "fpp"));
      }
      case FileIndexes.BITMAP -> {
        requireType(BitmapIndex.supports(column.type()), option, column);
        String block = values.get(prefix + "index-block-size");
        yield new Bitmap(
            column,
            Math.toIntExact(block == null ? DEFAULT_BLOCK_BYTES : MemorySize.parse(block).bytes()));
      }
      default ->
          throw new UnsupportedTableException(
              Condition.KEYLAKE_UNSUPPORTED_OPTION,
              "Option '"
                  + option
                  + "': file indexes of type '"
                  + type
                  + "' are not supported. Use bloom-filter or bitmap.");
    };
  }

  private static void requireType(boolean supported, String option, DataField column) {
    if (!supported) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "Option '"
              + option
              + "' names the column '"
              + column.name()
              + "', whose type "
              + column.type().root()
              + " such an index cannot hold. Name another column.");
    }
  }

  private static long items(Map<String, String> values, String option) {
    String text = values.get(option);
    try {
      long items = text == null ? DEFAULT_ITEMS : Long.parseLong(text.strip());
      if (items >= 1) {
        return items;
      }
    } catch (NumberFormatException e) {
      throw invalid(option, text, "a number of at least 1", e);
    }
    throw invalid(option, text, "a number of at least 1", null);
  }

  private static double falsePositives(Map<String, String> values, String option) {
    String text = values.get(option);
    try {
      double share = text == null ? DEFAULT_FALSE_POSITIVES : Double.parseDouble(text.strip());
      if (share > 0 && share < 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw invalid(option, text, "a number between 0 and 1", e);
    }
    throw invalid(option, text, "a number between 0 and 1", null);
  }

  private static InvalidRequestException invalid(
      String option, @Nullable String text, String allowed, @Nullable NumberFormatException cause) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "Option '" + option + "' = '" + text + "' is not valid. Allowed: " + allowed + ".",
        cause);
  }
}
