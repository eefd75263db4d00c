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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Timestamp;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which files hold expired rows, by the smallest time that their statistics name.
 *
 * <ol>
 *   <li>INT and BIGINT count seconds, BIGINT from 10<sup>12</sup> on milliseconds.
 *   <li>A file of an older schema may hold some: once rewritten it is of the present one.
 *   <li>A file without a statistic of the column may hold some, too, but that alone is no reason to
 *       rewrite it again and again where it is.
 * </ol>
 */
final class ExpiredRows {
  private static final long FIRST_MILLIS = 1_000_000_000_000L;

  /** What is known of a file. */
  enum Presence {
    NONE,
    UNKNOWN,
    SOME
  }

  private final @Nullable RecordExpiry expiry;
  private final TableSchema schema;

  /** By an expiry; null = rows never expire. */
  ExpiredRows(@Nullable RecordExpiry expiry, TableSchema schema) {
    this.expiry = expiry;
    this.schema = schema;
  }

  /** Whether the file holds expired rows. */
  Presence in(DataFile file) {
    if (expiry == null) {
      return Presence.NONE;
    }
    if (file.schemaId() != schema.id()) {
      return Presence.SOME;
    }
    Object smallest = smallest(expiry.column(), file);
    if (smallest == null) {
      return Presence.UNKNOWN;
    }
    return millis(smallest) < expiry.cutoffMillis() ? Presence.SOME : Presence.NONE;
  }

  private @Nullable Object smallest(String column, DataFile file) {
    List<String> covered =
        file.valueStatsColumns() == null ? schema.rowType().names() : file.valueStatsColumns();
    ColumnStats stats = file.valueStats();
    int position = covered.indexOf(column);
    if (position < 0 || stats.minValues().arity() != covered.size()) {
      return null;
    }
    List<DataField> fields = schema.rowType().project(covered).fields();
    return BinaryRowCodec.of(RowType.of(fields)).value(stats.minValues(), position);
  }

  private static long millis(Object time) {
    if (time instanceof Timestamp timestamp) {
      return timestamp.millis();
    }
    long number = ((Number) time).longValue();
    return number >= FIRST_MILLIS ? number : Math.max(number, -FIRST_MILLIS) * 1000L;
  }
}
