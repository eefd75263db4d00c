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

package io.keylake.spark.write.change;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.sort.KeyEquality;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.sort.SortedRows;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The records among a task's sorted changes, one of each key at most; overrides are handed over on
 * the way.
 *
 * <ol>
 *   <li>A key that is removed and gets a row has this row: as a record with engine deduplicate
 *       without sequence fields, where a record hides what was there, else as an override.
 *   <li>A key cannot get two rows.
 * </ol>
 *
 * <p>For one thread.
 */
public final class KeyChanges implements SortedRows {
  /** Takes overrides. */
  @FunctionalInterface
  public interface Overrides {
    /** Takes a row of a group; it is copied. */
    void add(int group, UnsafeRow row, long sequenceNumber, ChangeKind kind) throws IOException;
  }

  private final SortedRows rows;
  private final ChangeRules rules;
  private final KeyEquality keys;
  private final boolean recordsHide;
  private final Overrides overrides;
  private final RowBatch held = new RowBatch();
  private final UnsafeRow current;
  private final UnsafeRow next;
  private boolean started;
  private boolean pending;
  private int group;

  /**
   * Changes of a statement.
   *
   * @param rows in the order of keys
   */
  public KeyChanges(SortedRows rows, SortOrder order, ChangeRules rules, Overrides overrides) {
    this.rows = rows;
    this.rules = rules;
    this.keys = new KeyEquality(order);
    this.recordsHide =
        switch (rules.merge().engine()) {
          case DEDUPLICATE -> rules.merge().sequenceFields().isEmpty();
          case FIRST_ROW, PARTIAL_UPDATE, AGGREGATION -> false;
        };
    this.overrides = overrides;
    this.current = new UnsafeRow(order.arity());
    this.next = new UnsafeRow(order.arity());
  }

  @Override
  public boolean next() throws IOException {
    if (!started) {
      started = true;
      pending = rows.next();
    }
    while (pending) {
      takeKey();
      byte code = held.kind(0);
      if (!ChangeCode.isOverride(code)) {
        return true;
      }
      held.view(0, current);
      overrides.add(group, current, held.sequenceNumber(0), ChangeCode.kind(code));
    }
    return false;
  }

  /** Takes all changes of the next key and holds what comes of them. */
  private void takeKey() throws IOException {
    held.clear();
    group = rows.group();
    hold(rows.kind());
    pending = rows.next();
    while (pending && rows.group() == group && isSameKey()) {
      byte first = held.kind(0);
      byte second = rows.kind();
      boolean firstRemoves = ChangeCode.kind(first).isRetract();
      boolean secondRemoves = ChangeCode.kind(second).isRetract();
      if (!firstRemoves && !secondRemoves) {
        throw twice(rules.command().name(), rules.table(), text(rules.schema(), next));
      }
      if (firstRemoves && secondRemoves) {
        held.number(0, held.sequenceNumber(0), ChangeCode.isOverride(second) ? second : first);
      } else {
        byte row = firstRemoves ? second : first;
        byte whole = recordsHide ? row : ChangeCode.ofOverride(ChangeKind.INSERT);
        if (firstRemoves) {
          held.removeLast();
          hold(whole);
        } else {
          held.number(0, held.sequenceNumber(0), whole);
        }
      }
      pending = rows.next();
    }
  }

  private void hold(byte code) {
    held.add(rows.base(), rows.offset(), rows.length(), rows.sequenceNumber(), code);
  }

  private boolean isSameKey() {
    held.view(0, current);
    next.pointTo(rows.base(), rows.offset(), rows.length());
    return keys.isSame(current, next);
  }

  /** The failure of a statement that gives two rows to a key. */
  public static InvalidRequestException twice(String statement, String table, String key) {
    return new InvalidRequestException(
        Condition.KEYLAKE_DUPLICATE_KEY,
        statement
            + " gives more than one row to the key "
            + key
            + " of "
            + table
            + ". Make the key unique: in the source of a MERGE group by it or keep one row of each"
            + " (row_number() over (partition by ...) = 1); in an UPDATE correct what is assigned."
            + " Nothing was changed.");
  }

  /** The key of a row of the table, for messages. */
  public static String text(TableSchema schema, UnsafeRow row) {
    StringBuilder text = new StringBuilder("(");
    for (String key : schema.primaryKeys()) {
      int place = schema.rowType().indexOf(key);
      var type = SparkTypes.toSpark(key, schema.rowType().field(place).type());
      text.append(text.length() == 1 ? "" : ", ").append(key).append(" = ");
      text.append(row.isNullAt(place) ? "NULL" : row.get(place, type));
    }
    return text.append(')').toString();
  }

  @Override
  public Object base() {
    return held.bytes();
  }

  @Override
  public long offset() {
    return Platform.BYTE_ARRAY_OFFSET + (long) held.start(0);
  }

  @Override
  public int length() {
    return held.start(1) - held.start(0);
  }

  @Override
  public int group() {
    return group;
  }

  @Override
  public long sequenceNumber() {
    return held.sequenceNumber(0);
  }

  @Override
  public byte kind() {
    return held.kind(0);
  }
}
