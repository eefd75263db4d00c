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

package io.keylake.spark.file.write;

import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.file.encode.ColumnRange;
import io.keylake.spark.file.encode.FileColumns;
import io.keylake.table.options.StatsOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the encoders saw into the statistics of a data file.
 *
 * <ol>
 *   <li>Key statistics cover all columns of the trimmed key; texts are cut to 128 characters.
 *   <li>Value statistics follow the mode of each column. In dense mode columns without any (mode
 *       none, nested types) are left out and the others are named; the list of names is null when
 *       it would name all.
 *   <li>Otherwise such columns have neither bounds nor a NULL count.
 *   <li>Stored row ids and sequence numbers have none; the list then names the table's columns.
 * </ol>
 *
 * Rule source: table format, statistics in the file meta; pinned by {@code StatisticsOracleTest}.
 */
final class FileStatistics {
  private static final int KEY_TEXT_CHARACTERS = 128;

  private final TableSchema schema;
  private final FileColumns columns;
  private final List<StatsOptions.Mode> modes = new ArrayList<>();
  private final boolean dense;

  FileStatistics(TableSchema schema, FileColumns columns, StatsOptions options, int level) {
    this.schema = schema;
    this.columns = columns;
    this.dense = options.dense();
    for (int i = 0; i < schema.fields().size(); i++) {
      modes.add(options.mode(schema.fields().get(i).name(), i, level));
    }
  }

  /**
   * The value statistics of a file.
   *
   * @param stats of the columns that {@code names} lists
   * @param names the covered columns; null = all
   */
  record Values(ColumnStats stats, @Nullable List<String> names) {}

  /** Statistics of the trimmed key; {@code ranges} has one element per column of the file. */
  ColumnStats keys(List<@Nullable ColumnRange> ranges) {
    List<DataField> fields = new ArrayList<>();
    List<ColumnRange> covered = new ArrayList<>();
    for (int ordinal : columns.keyOrdinals()) {
      ColumnRange range = ranges.get(columns.valueStart() + ordinal);
      if (range == null) {
        throw new IllegalStateException("A key column cannot be nested");
      }
      fields.add(schema.fields().get(ordinal));
      covered.add(cut(range, KEY_TEXT_CHARACTERS));
    }
    return fields.isEmpty() ? ColumnStats.EMPTY : stats(fields, covered);
  }

  /** Statistics of the table's columns; {@code ranges} has one element per column of the file. */
  Values values(List<@Nullable ColumnRange> ranges) {
    List<DataField> fields = new ArrayList<>();
    List<@Nullable ColumnRange> covered = new ArrayList<>();
    for (int i = 0; i < modes.size(); i++) {
      if (SystemColumns.isReserved(schema.fields().get(i).name())) {
        continue;
      }
      ColumnRange range = ranges.get(columns.valueStart() + i);
      ColumnRange kept = range == null ? null : reduce(range, modes.get(i));
      if (kept != null || !dense) {
        fields.add(schema.fields().get(i));
        covered.add(kept);
      }
    }
    if (covered.stream().allMatch(range -> range == null)) {
      return new Values(ColumnStats.EMPTY, List.of());
    }
    List<String> names =
        fields.size() == modes.size() ? null : fields.stream().map(DataField::name).toList();
    return new Values(stats(fields, covered), names);
  }

  private static @Nullable ColumnRange reduce(ColumnRange range, StatsOptions.Mode mode) {
    return switch (mode.kind()) {
      case NONE -> null;
      case COUNTS -> new ColumnRange(null, null, range.nullCount());
      case TRUNCATE -> cut(range, mode.length());
      case FULL -> range;
    };
  }

  private static ColumnRange cut(ColumnRange range, int characters) {
    if (range.min() instanceof String min && range.max() instanceof String max) {
      String upper = TextBounds.upper(max, characters);
      return upper == null
          ? new ColumnRange(null, null, range.nullCount())
          : new ColumnRange(TextBounds.lower(min, characters), upper, range.nullCount());
    }
    return range;
  }

  private static ColumnStats stats(
      List<DataField> fields, List<? extends @Nullable ColumnRange> ranges) {
    List<DataField> nullable = fields.stream().map(f -> f.withType(f.type().asNullable())).toList();
    BinaryRowCodec codec = BinaryRowCodec.of(RowType.of(nullable));
    List<@Nullable Object> min = new ArrayList<>();
    List<@Nullable Object> max = new ArrayList<>();
    List<@Nullable Long> nullCounts = new ArrayList<>();
    for (ColumnRange range : ranges) {
      min.add(range == null ? null : range.min());
      max.add(range == null ? null : range.max());
      nullCounts.add(range == null ? null : Long.valueOf(range.nullCount()));
    }
    return new ColumnStats(codec.encode(min), codec.encode(max), nullCounts);
  }
}
