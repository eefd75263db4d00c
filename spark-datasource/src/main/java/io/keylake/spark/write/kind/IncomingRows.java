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

package io.keylake.spark.write.kind;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.engine.CountedColumns;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Looks at each row that a task is given, before anything else does.
 *
 * <ol>
 *   <li>The row's kind is the text +I, -U, +U or -D in the kind column, which is stored like any
 *       other; without such a column it is +I.
 *   <li>{@code ignore-delete} drops rows of kind -U and -D, {@code ignore-update-before} those of
 *       kind -U: they take no sequence number.
 *   <li>Rows of kind -U and -D that could not be merged are refused, see {@link RetractCheck}.
 *   <li>In columns that count, a value becomes 1 and NULL becomes 0.
 * </ol>
 *
 * <p>For one thread. Rule source: table behaviour, rowkind.field and write buffer; pinned by {@code
 * IncomingRowsTest}.
 */
public final class IncomingRows {
  private static final ChangeKind[] KINDS = ChangeKind.values();
  private static final UTF8String[] TEXTS =
      Arrays.stream(KINDS)
          .map(kind -> UTF8String.fromString(kind.shortName()))
          .toArray(UTF8String[]::new);

  private final String table;
  private final TableSchema schema;
  private final KindRules rules;
  private final RetractCheck retracts;
  private final int[] counted;
  private final UnsafeRow copy;
  private ChangeKind kind = ChangeKind.INSERT;

  /** Looks at the rows of a write to a table. */
  public IncomingRows(String table, TableSchema schema, KindRules rules) {
    this.table = table;
    this.schema = schema;
    this.rules = rules;
    this.retracts = RetractCheck.of(schema, table, rules);
    this.counted = CountedColumns.of(schema).stream().mapToInt(Integer::intValue).toArray();
    this.copy = UnsafeRow.createFromByteArray(0, schema.fields().size());
  }

  /**
   * Takes a row.
   *
   * @return the row to write, which may be {@code row} itself or one that is valid until the next
   *     call; null when the row is dropped
   * @throws InvalidRequestException KEYLAKE_INVALID_VALUE when the kind is none, or the table holds
   *     rows of kind +I only; KEYLAKE_UNSUPPORTED_RETRACTION when the row cannot be merged
   */
  public @Nullable UnsafeRow take(UnsafeRow row) {
    if (rules.column() != KindRules.NO_COLUMN) {
      kind = readKind(row);
      boolean isDropped =
          rules.dropsRetracts() && kind.isRetract()
              || rules.dropsUpdatesBefore() && kind == ChangeKind.UPDATE_BEFORE;
      if (isDropped) {
        return null;
      }
      retracts.check(kind, row);
    }
    return counted.length == 0 ? row : counted(row);
  }

  /** The kind of the row that was taken last. */
  public ChangeKind kind() {
    return kind;
  }

  private ChangeKind readKind(UnsafeRow row) {
    if (row.isNullAt(rules.column())) {
      throw noKind("NULL");
    }
    UTF8String text = row.getUTF8String(rules.column());
    for (int i = 0; i < KINDS.length; i++) {
      if (text.equals(TEXTS[i])) {
        return KINDS[i];
      }
    }
    throw noKind("'" + text + "'");
  }

  /** The row with what its counted columns add; rows of Spark are not changed. */
  private UnsafeRow counted(UnsafeRow row) {
    copy.copyFrom(row);
    for (int column : counted) {
      int value = row.isNullAt(column) ? 0 : 1;
      switch (schema.fields().get(column).type().root()) {
        case TINYINT -> copy.setByte(column, (byte) value);
        case SMALLINT -> copy.setShort(column, (short) value);
        case INT -> copy.setInt(column, value);
        default -> copy.setLong(column, value);
      }
    }
    return copy;
  }

  private InvalidRequestException noKind(String value) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_VALUE,
        value
            + " in column "
            + schema.fields().get(rules.column()).name()
            + " of "
            + table
            + ", which holds the kind of each row. Write +I, -U, +U or -D.");
  }
}
