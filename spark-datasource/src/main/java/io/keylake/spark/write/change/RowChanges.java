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
import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.sort.KeyEquality;
import io.keylake.spark.sort.SequenceAge;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.write.change.ChangeRules.Removal;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.CommitOptions.KeyUpdate;
import java.io.Closeable;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the changes that Spark hands to a task.
 *
 * <ol>
 *   <li>A delete is a record of kind -D where the engine removes keys by such, else an override.
 *   <li>An update is a record where that gives the wanted row: always with engine deduplicate
 *       unless a sequence field becomes lower, never with first-row, with other engines as {@link
 *       RecordSearch} finds. Else it is an override.
 *   <li>An update that changes the partition of a key that stays removes the key there and adds the
 *       row, whatever the engine does with rows of keys in other partitions.
 *   <li>Where the rows that come are the changelog, it gets rows as they were and as they are: -D
 *       of a row that is deleted or moved, -U and +U of one that is updated. How that is stored
 *       does not matter.
 *   <li>An update that changes the key fails unless rows may move ({@code row-level.key-update}).
 *       Then it removes the old key by an override, since the task need not be the one that has all
 *       rows of the old key, and adds the row like an insert.
 * </ol>
 *
 * <p>For one thread; the owner closes it.
 */
public final class RowChanges implements Closeable {
  /** Takes changes. */
  @FunctionalInterface
  public interface Target {
    /** Takes a change; the row may change afterwards. */
    void write(UnsafeRow row, byte code) throws IOException;
  }

  private final ChangeRules rules;
  private final boolean tellsImages;
  private final KeyUpdate keyUpdate;
  private final Removal removal;
  private final Target target;
  private final OldRows oldRows;
  private final OldRows tombstones;
  private final UnsafeProjection rows;
  private final KeyEquality keys;
  private final ColumnEquality partitions;
  private final byte moved;
  private final @Nullable SequenceAge sequence;
  private final boolean alwaysOverrides;
  private final @Nullable RecordSearch records;

  /** Changes of a statement, written to {@code target}. */
  public RowChanges(ChangeRules rules, Target target) {
    this.rules = rules;
    this.tellsImages = rules.tellsImages();
    this.keyUpdate = rules.keyUpdate();
    this.removal = rules.removal();
    this.target = target;
    this.oldRows = new OldRows(rules.schema(), rules.before(), rules.before());
    this.tombstones = new OldRows(rules.schema(), rules.before(), BeforeImage.KEPT);
    this.rows = UnsafeProjection.create(SparkTypes.toSpark(rules.schema().rowType()));
    this.keys = new KeyEquality(SortOrder.ofPrimaryKey(rules.schema()));
    this.partitions = ColumnEquality.ofPartitions(rules.schema());
    this.moved =
        BucketMode.of(rules.schema()) instanceof BucketMode.CrossPartition
            ? ChangeCode.ofMoved(ChangeKind.INSERT)
            : ChangeCode.ofRecord(ChangeKind.INSERT);
    SortOrder order = SortOrder.of(rules.schema(), rules.merge());
    this.sequence = order.sequence().isEmpty() ? null : new SequenceAge(order);
    this.alwaysOverrides =
        switch (rules.merge().engine()) {
          case FIRST_ROW -> true;
          case DEDUPLICATE, PARTIAL_UPDATE, AGGREGATION -> false;
        };
    this.records = rules.merge().computesRows() ? new RecordSearch(rules, this::store) : null;
  }

  /** The row that is to be deleted, as it was. */
  public void delete(@Nullable InternalRow metadata, InternalRow id) throws IOException {
    remove(
        metadata,
        id,
        removal == Removal.RECORD
            ? ChangeCode.ofRecord(ChangeKind.DELETE)
            : ChangeCode.ofOverride(ChangeKind.DELETE));
  }

  private void remove(@Nullable InternalRow metadata, InternalRow id, byte code)
      throws IOException {
    if (tellsImages) {
      target.write(oldRows.of(metadata, id), ChangeCode.ofImage(ChangeKind.DELETE));
    }
    store(tombstones.of(metadata, id), code);
  }

  /** Writes what a change is stored as. */
  private void store(UnsafeRow row, byte code) throws IOException {
    target.write(row, tellsImages ? ChangeCode.silent(code) : code);
  }

  /** A row that takes the place of another one. */
  public void update(@Nullable InternalRow metadata, InternalRow id, InternalRow row)
      throws IOException {
    UnsafeRow next = rows.apply(row);
    UnsafeRow old = oldRows.of(metadata, id);
    if (!keys.isSame(old, next)) {
      if (keyUpdate == KeyUpdate.REFUSE) {
        throw keyChanges(old, next);
      }
      remove(metadata, id, ChangeCode.ofOverride(ChangeKind.DELETE));
      target.write(next, ChangeCode.ofRecord(ChangeKind.INSERT));
    } else if (!partitions.isSame(old, next)) {
      delete(metadata, id);
      target.write(next, moved);
    } else {
      if (tellsImages) {
        target.write(old, ChangeCode.ofImage(ChangeKind.UPDATE_BEFORE));
        target.write(next, ChangeCode.ofImage(ChangeKind.UPDATE_AFTER));
      }
      update(old, next);
    }
  }

  private void update(UnsafeRow old, UnsafeRow next) throws IOException {
    if (alwaysOverrides || sequence != null && sequence.isOlder(next, old)) {
      store(next, ChangeCode.ofOverride(ChangeKind.INSERT));
    } else if (records != null) {
      records.add(old, next);
    } else {
      store(next, ChangeCode.ofRecord(ChangeKind.UPDATE_AFTER));
    }
  }

  private InvalidRequestException keyChanges(UnsafeRow old, UnsafeRow next) {
    return new InvalidRequestException(
        Condition.KEYLAKE_KEY_UPDATE,
        rules.command()
            + " changes the primary key "
            + KeyChanges.text(rules.schema(), old)
            + " of a row of "
            + rules.table()
            + " to "
            + KeyChanges.text(rules.schema(), next)
            + ". DELETE the row and INSERT the new one; or set 'row-level.key-update' = 'move',"
            + " then rows move and replace those that have their new key. Nothing was changed.");
  }

  /** Writes what is still held. */
  public void finish() throws IOException {
    if (records != null) {
      records.finish();
    }
  }

  @Override
  public void close() {
    if (records != null) {
      records.close();
    }
  }
}
