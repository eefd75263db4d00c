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

package io.keylake.spark.write.cross;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.spark.write.change.ChangeCode;
import io.keylake.spark.write.change.ChangeRules;
import io.keylake.spark.write.change.KeyChanges;
import io.keylake.spark.write.cross.CrossRules.Known;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Sends the rows of a task to the partitions and buckets where their keys belong. All rows of a key
 * come to one task, in the order of writing.
 *
 * <ol>
 *   <li>A key that the table does not have goes to its row's partition.
 *   <li>A key that is in another partition than its row: with engine deduplicate a row of kind -D
 *       with the values of the old partition goes to the old place, then the row to its own
 *       partition, where it is like a new key; with partial-update and aggregation the row goes to
 *       the old place, its partition columns rewritten.
 *   <li>First-row drops rows of keys that the table has, wherever.
 *   <li>A row of kind -U or -D goes to where its key is, its partition columns rewritten.
 *   <li>Changes of rows that a statement has read go to where the base snapshot has them; a key can
 *       get one row in such a statement.
 * </ol>
 *
 * <p>For one thread; the owner closes it. Rule source: table format, cross-partition upsert. Pinned
 * by {@code KeyRoutingTest} and {@code CrossPartitionSparkTest}.
 */
public final class KeyRouting implements Closeable {
  /** Takes rows with their places. */
  @FunctionalInterface
  public interface Target {
    /** Takes a row, which may change afterwards. */
    void write(BinaryRow partition, int bucket, UnsafeRow row, byte code) throws IOException;
  }

  private final Known known;
  private final @Nullable ChangeRules changes;
  private final TableSchema schema;
  private final Target target;
  private final KeyPlaces places;
  private final BinaryRowAssembler partitionValues;
  private final PartitionRows partitionRows;
  private final UnsafeProjection relocation;
  private final JoinedRow joined = new JoinedRow();
  private final Map<BinaryRow, InternalRow> partitions = new HashMap<>();
  private final Set<BinaryRow> given = new HashSet<>();
  private @Nullable BinaryRow own;
  private @Nullable String repeatedKey;

  /**
   * The routing of a task's rows.
   *
   * @param changes the statement whose changes these are; null = rows are added
   * @param load gives the keys of the base snapshot
   */
  public KeyRouting(
      CrossRules rules,
      @Nullable ChangeRules changes,
      TableSchema schema,
      OpenKeys.Load load,
      Target target) {
    this.known = rules.known();
    this.changes = changes;
    this.schema = schema;
    this.target = target;
    this.places = new KeyPlaces(schema, rules.assigners(), () -> OpenKeys.lease(rules.job(), load));
    RowType rows = schema.rowType();
    this.partitionValues =
        new BinaryRowAssembler(
            schema.partitionType(),
            schema.partitionKeys().stream().map(rows::indexOf).toList(),
            rows.size());
    this.partitionRows = new PartitionRows(schema.partitionType());
    this.relocation = relocation(schema);
  }

  /** Of a row joined with partition values: the row with these. */
  private static UnsafeProjection relocation(TableSchema schema) {
    RowType rows = schema.rowType();
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      DataType type = SparkTypes.toSpark(rows.field(i).name(), rows.field(i).type());
      int value = schema.partitionKeys().indexOf(rows.field(i).name());
      columns.add(new BoundReference(value < 0 ? i : rows.size() + value, type, true));
    }
    return UnsafeProjection.create(CollectionConverters.asScala(columns).toSeq());
  }

  /**
   * Takes a row.
   *
   * @param code the code of its {@link ChangeKind}, or of {@link ChangeCode}
   */
  public void write(UnsafeRow row, byte code) throws IOException {
    places.take(row);
    BinaryRow partition = partition(row);
    if (!ChangeCode.isOverride(code)) {
      places.own();
    }
    if (changes == null) {
      add(row, partition, code);
    } else {
      change(changes, row, partition, code);
    }
  }

  private BinaryRow partition(UnsafeRow row) {
    partitionValues.assemble(row.getBaseObject(), row.getBaseOffset());
    BinaryRow last = own;
    if (last == null || !partitionValues.isEqualTo(last)) {
      last = partitionValues.toBinaryRow();
      own = last;
      given.add(last);
    }
    return last;
  }

  private void add(UnsafeRow row, BinaryRow partition, byte code) throws IOException {
    boolean isRetract = ChangeKind.ofCode(code).isRetract();
    KeyPlace decided = places.decided();
    if (decided != null && !isRetract && repeatedKey == null) {
      repeatedKey = KeyChanges.text(schema, row);
    }
    KeyPlace place = decided == null ? places.before() : decided;
    if (place == null) {
      emit(places.assign(partition), row, code);
    } else if (isRetract) {
      emitThere(place, partition, row, code);
    } else {
      addKnown(place, partition, row, code);
    }
  }

  private void addKnown(KeyPlace place, BinaryRow partition, UnsafeRow row, byte code)
      throws IOException {
    switch (known) {
      case MOVES -> {
        if (place.partition().equals(partition)) {
          emit(place, row, code);
        } else {
          emitThere(place, partition, row, ChangeCode.ofRecord(ChangeKind.DELETE));
          emit(places.assign(partition), row, code);
        }
      }
      case STAYS -> emitThere(place, partition, row, code);
      case DROPPED -> {}
    }
  }

  private void change(ChangeRules rules, UnsafeRow row, BinaryRow partition, byte code)
      throws IOException {
    KeyPlace before = places.before();
    if (ChangeCode.kind(code).isRetract()) {
      if (before == null) {
        throw new IllegalStateException(
            "The key " + KeyChanges.text(schema, row) + " was read, but is not in the index");
      }
      emit(before, row, code);
      return;
    }
    if (ChangeCode.isImage(code) && before != null) {
      emit(before, row, code);
      return;
    }
    if (places.decided() != null) {
      throw KeyChanges.twice(rules.command().name(), rules.table(), KeyChanges.text(schema, row));
    }
    if (ChangeCode.isMoved(code)) {
      emit(places.assign(partition), row, ChangeCode.withoutMove(code));
    } else if (before == null) {
      emit(places.assign(partition), row, code);
    } else if (before.partition().equals(partition)) {
      places.decide(before);
      emit(before, row, code);
    } else {
      if (known == Known.STAYS) {
        places.decide(before);
      }
      addKnown(before, partition, row, code);
    }
  }

  private void emit(KeyPlace place, UnsafeRow row, byte code) throws IOException {
    target.write(place.partition(), place.bucket(), row, code);
  }

  /** Hands a row over with the partition of its place. */
  private void emitThere(KeyPlace place, BinaryRow partition, UnsafeRow row, byte code)
      throws IOException {
    UnsafeRow relocated =
        place.partition().equals(partition)
            ? row
            : relocation.apply(
                joined.apply(
                    row, partitions.computeIfAbsent(place.partition(), partitionRows::rowToSpark)));
    emit(place, relocated, code);
  }

  /** A key of which the task was given more than one row; null = none was found. */
  public @Nullable String repeatedKey() {
    return repeatedKey;
  }

  /** The partitions that rows came with. */
  public Set<BinaryRow> givenPartitions() {
    return given;
  }

  /** Whether no other task puts new keys into buckets of this number. */
  public boolean owns(int bucket) {
    return places.owns(bucket);
  }

  @Override
  public void close() throws IOException {
    places.close();
  }
}
