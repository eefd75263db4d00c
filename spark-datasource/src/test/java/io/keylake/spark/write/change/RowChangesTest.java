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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.testing.ListedRows;
import io.keylake.table.options.CommitOptions.KeyUpdate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of the changes of one task: columns k INT (the key), n INT, t STRING. */
class RowChangesTest {
  private static final String PARTIAL_UPDATE = "partial-update";
  private static final String AGGREGATION = "aggregation";
  private static final String SUM = "fields.n.aggregate-function";

  private static TableSchema schema(String engine, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("merge-engine", engine));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return TestRows.schema(
        List.of(
            DataField.of(0, "k", DataTypes.INT.asNotNull()),
            DataField.of(1, "n", DataTypes.INT),
            DataField.of(2, "t", DataTypes.STRING)),
        List.of(),
        List.of("k"),
        all);
  }

  private static Object[] row(Object... values) {
    Object[] internal = values.clone();
    for (int i = 0; i < internal.length; i++) {
      internal[i] = internal[i] instanceof String text ? UTF8String.fromString(text) : internal[i];
    }
    return internal;
  }

  /** The image of an old row: what Spark hands over with a change of it. */
  private static @Nullable InternalRow metadata(ChangeRules rules, Object[] old) {
    BeforeImage image = rules.before();
    if (image == null) {
      return null;
    }
    Object[] values =
        image.columns(rules.schema()).stream()
            .map(column -> old[rules.schema().rowType().indexOf(column.name())])
            .toArray();
    return new GenericInternalRow(new Object[] {new GenericInternalRow(values)});
  }

  private static String text(UnsafeRow row, byte code) {
    return (ChangeCode.isOverride(code) ? "override " : "record ")
        + ChangeCode.kind(code).shortName()
        + " "
        + row.getInt(0)
        + ","
        + (row.isNullAt(1) ? "null" : row.getInt(1))
        + ","
        + (row.isNullAt(2) ? "null" : row.getUTF8String(2));
  }

  private static List<String> update(TableSchema schema, Object[] old, Object[] next)
      throws IOException {
    ChangeRules rules = ChangeRules.of(Command.UPDATE, "t", schema, KeyUpdate.MOVE);
    List<String> written = new ArrayList<>();
    try (RowChanges changes = new RowChanges(rules, (row, code) -> written.add(text(row, code)))) {
      changes.update(
          metadata(rules, old),
          new GenericInternalRow(new Object[] {old[0]}),
          new GenericInternalRow(next));
      changes.finish();
    }
    return written;
  }

  private static List<String> delete(TableSchema schema, Object[] old) throws IOException {
    ChangeRules rules = ChangeRules.of(Command.DELETE, "t", schema, KeyUpdate.MOVE);
    List<String> written = new ArrayList<>();
    try (RowChanges changes = new RowChanges(rules, (row, code) -> written.add(text(row, code)))) {
      changes.delete(metadata(rules, old), new GenericInternalRow(new Object[] {old[0]}));
      changes.finish();
    }
    return written;
  }

  @Test
  void deduplicateKeepsTheNewRow() throws IOException {
    TableSchema schema = schema("deduplicate");
    assertThat(update(schema, row(1, 5, "a"), row(1, null, "b")))
        .containsExactly("record +U 1,null,b");
    assertThat(delete(schema, row(1, 5, "a"))).containsExactly("record -D 1,null,null");
  }

  @Test
  void aLowerSequenceFieldNeedsAnOverride() throws IOException {
    TableSchema ascending = schema("deduplicate", "sequence.field", "n");
    assertThat(update(ascending, row(1, 5, "a"), row(1, 5, "b")))
        .containsExactly("record +U 1,5,b");
    assertThat(update(ascending, row(1, 5, "a"), row(1, 4, "b")))
        .containsExactly("override +I 1,4,b");
    assertThat(update(ascending, row(1, 5, "a"), row(1, null, "b")))
        .containsExactly("override +I 1,null,b");
    assertThat(delete(ascending, row(1, 5, "a"))).containsExactly("record -D 1,5,null");
    TableSchema descending =
        schema("deduplicate", "sequence.field", "n", "sequence.field.sort-order", "descending");
    assertThat(update(descending, row(1, 5, "a"), row(1, 4, "b")))
        .containsExactly("record +U 1,4,b");
    assertThat(update(descending, row(1, 5, "a"), row(1, 6, "b")))
        .containsExactly("override +I 1,6,b");
  }

  @Test
  void aRowMovesToAnotherKey() throws IOException {
    assertThat(update(schema("deduplicate"), row(1, 5, "a"), row(2, 5, "a")))
        .containsExactly("override -D 1,null,null", "record +I 2,5,a");
  }

  @Test
  void deletesThatTheEnginePassesOverAreOverrides() throws IOException {
    Object[] old = row(1, 5, "a");
    assertThat(delete(schema("deduplicate", "ignore-delete", "true"), old))
        .containsExactly("override -D 1,null,null");
    assertThat(delete(schema("first-row"), old)).containsExactly("override -D 1,null,null");
    assertThat(delete(schema(PARTIAL_UPDATE), old)).containsExactly("override -D 1,null,null");
    assertThat(
            delete(schema(PARTIAL_UPDATE, "partial-update.remove-record-on-delete", "true"), old))
        .containsExactly("record -D 1,null,null");
    assertThat(delete(schema(AGGREGATION, SUM, "sum"), old))
        .containsExactly("override -D 1,null,null");
    String removes = "aggregation.remove-record-on-delete";
    assertThat(delete(schema(AGGREGATION, SUM, "sum", removes, "true"), old))
        .containsExactly("record -D 1,null,null");
    for (String first : List.of("first_value", "first_non_null_value")) {
      assertThat(delete(schema(AGGREGATION, SUM, first, removes, "true"), old))
          .containsExactly("override -D 1,null,null");
    }
  }

  @Test
  void firstRowIsReplacedByOverrides() throws IOException {
    assertThat(update(schema("first-row"), row(1, 5, "a"), row(1, 6, "a")))
        .containsExactly("override +I 1,6,a");
  }

  @Test
  void partialUpdateWritesWhatChanges() throws IOException {
    TableSchema schema = schema(PARTIAL_UPDATE);
    assertThat(update(schema, row(1, 5, "a"), row(1, 6, "a")))
        .containsExactly("record +U 1,6,null");
    assertThat(update(schema, row(1, null, "a"), row(1, null, "b")))
        .containsExactly("record +U 1,null,b");
    assertThat(update(schema, row(1, 5, "a"), row(1, null, "b")))
        .containsExactly("override +I 1,null,b");
  }

  @Test
  void sequenceGroupsTakeValuesOfTheirAgeOnly() throws IOException {
    TableSchema schema = schema(PARTIAL_UPDATE, "fields.n.sequence-group", "t");
    assertThat(update(schema, row(1, 5, "a"), row(1, 5, null)))
        .containsExactly("record +U 1,5,null");
    assertThat(update(schema, row(1, 5, "a"), row(1, 4, "b"))).containsExactly("override +I 1,4,b");
    assertThat(update(schema, row(1, null, "a"), row(1, null, "b")))
        .containsExactly("override +I 1,null,b");
  }

  @Test
  void sumsGetTheDifference() throws IOException {
    TableSchema schema = schema(AGGREGATION, SUM, "sum");
    assertThat(update(schema, row(1, 5, "a"), row(1, 12, "b"))).containsExactly("record +U 1,7,b");
    assertThat(update(schema, row(1, null, "a"), row(1, 12, "a")))
        .containsExactly("record +U 1,12,null");
    assertThat(update(schema, row(1, 5, "a"), row(1, null, "a")))
        .containsExactly("override +I 1,null,a");
    assertThat(update(schema, row(1, -5, "a"), row(1, Integer.MAX_VALUE, "a")))
        .containsExactly("override +I 1,2147483647,a");
  }

  @Test
  void otherFunctionsTakeWhatTheyWouldComeTo() throws IOException {
    TableSchema schema = schema(AGGREGATION, SUM, "max", "fields.t.aggregate-function", "listagg");
    assertThat(update(schema, row(1, 5, "a"), row(1, 6, "a")))
        .containsExactly("record +U 1,6,null");
    assertThat(update(schema, row(1, 5, "a"), row(1, 4, "a"))).containsExactly("override +I 1,4,a");
    assertThat(update(schema, row(1, 5, "a"), row(1, 5, "a,b")))
        .containsExactly("override +I 1,5,a,b");
  }

  private static final byte RECORD_INSERT = ChangeCode.ofRecord(ChangeKind.INSERT);
  private static final byte RECORD_DELETE = ChangeCode.ofRecord(ChangeKind.DELETE);
  private static final byte OVERRIDE = ChangeCode.ofOverride(ChangeKind.INSERT);
  private static final byte OVERRIDE_DELETE = ChangeCode.ofOverride(ChangeKind.DELETE);

  private static ListedRows.In change(int group, byte code, int key, int n) {
    return new ListedRows.In(group, code, RowFactory.create(key, n, "t"));
  }

  /** What comes of the changes of keys, overrides first. */
  private static List<String> together(TableSchema schema, ListedRows.In... changes)
      throws IOException {
    List<String> all = new ArrayList<>();
    KeyChanges keys =
        new KeyChanges(
            new ListedRows(schema, List.of(changes)),
            SortOrder.ofPrimaryKey(schema),
            ChangeRules.of(Command.MERGE, "t", schema, KeyUpdate.MOVE),
            (group, row, number, kind) ->
                all.add(group + " " + text(row, ChangeCode.ofOverride(kind)) + " #" + number));
    List<String> records = new ArrayList<>();
    UnsafeRow row = new UnsafeRow(3);
    while (keys.next()) {
      row.pointTo(keys.base(), keys.offset(), keys.length());
      records.add(keys.group() + " " + text(row, keys.kind()) + " #" + keys.sequenceNumber());
    }
    all.addAll(records);
    return all;
  }

  @Test
  void aKeyThatIsRemovedAndGetsARowHasTheRow() throws IOException {
    TableSchema schema = schema("deduplicate");
    assertThat(
            together(
                schema,
                change(0, RECORD_DELETE, 1, 1),
                change(0, RECORD_INSERT, 1, 2),
                change(0, RECORD_INSERT, 2, 3),
                change(0, OVERRIDE_DELETE, 2, 4),
                change(0, OVERRIDE_DELETE, 3, 5),
                change(1, RECORD_INSERT, 3, 6)))
        .containsExactly(
            "0 override -D 3,5,t #4",
            "0 record +I 1,2,t #1",
            "0 record +I 2,3,t #2",
            "1 record +I 3,6,t #5");
    for (TableSchema other :
        List.of(schema(PARTIAL_UPDATE), schema("deduplicate", "sequence.field", "n"))) {
      assertThat(together(other, change(0, RECORD_DELETE, 1, 3), change(0, RECORD_INSERT, 1, 2)))
          .containsExactly("0 override +I 1,2,t #1");
    }
  }

  @Test
  void aKeyCannotGetTwoRows() {
    for (byte code : new byte[] {RECORD_INSERT, OVERRIDE}) {
      assertThatThrownBy(
              () ->
                  together(
                      schema("deduplicate"), change(0, RECORD_INSERT, 7, 1), change(0, code, 7, 2)))
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining("MERGE gives more than one row to the key (k = 7) of t");
    }
  }
}
