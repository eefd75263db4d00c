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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.write.change.ChangeCode;
import io.keylake.spark.write.change.ChangeRules;
import io.keylake.spark.write.cross.CrossRules.Known;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.options.CommitOptions.KeyUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The base snapshot has keys 1 and 2 in bucket 7 of partition a. */
final class KeyRoutingTest {
  private static final TableSchema SCHEMA =
      new TableSchema(
          TableSchema.CURRENT_VERSION,
          0,
          List.of(
              DataField.of(0, "k", DataTypes.INT.asNotNull()),
              DataField.of(1, "p", DataTypes.STRING),
              DataField.of(2, "v", DataTypes.INT)),
          2,
          List.of("p"),
          List.of("k"),
          Map.of("bucket", "-1"),
          null,
          0,
          UnknownKeys.NONE);
  private static final BinaryRow A = BinaryRowCodec.of(SCHEMA.partitionType()).encode(List.of("a"));

  @TempDir private Path disk;
  private final UnsafeProjection projection =
      UnsafeProjection.create(SparkTypes.toSpark(SCHEMA.rowType()));
  private final List<String> written = new ArrayList<>();
  private int folders;

  private UnsafeRow row(int key, String partition, int value) {
    return projection
        .apply(new GenericInternalRow(new Object[] {key, UTF8String.fromString(partition), value}))
        .copy();
  }

  private BaseKeys base() throws IOException {
    KeyIndex index = new KeyIndex(Files.createDirectory(disk.resolve("keys-" + folders++)));
    KeyBytes bytes = KeyBytes.ofRows(SCHEMA);
    try (KeyIndex.Loader loader = index.loader()) {
      for (int key = 1; key <= 2; key++) {
        bytes.take(row(key, "a", 0));
        loader.put(bytes.copy(), 0);
      }
      loader.flush();
    }
    return new BaseKeys(index, List.of(new KeyPlace(A, 7)), List.of(2L));
  }

  private KeyRouting routing(Known known, ChangeRules changes) {
    String job = "job-" + disk + known;
    CrossRules rules =
        new CrossRules(job, known, null, Set.of(), null, 1, new AssignerRules(1, 2, -1));
    return new KeyRouting(
        rules,
        changes,
        SCHEMA,
        this::base,
        (partition, bucket, row, code) ->
            written.add(
                ChangeCode.kind(code).shortName()
                    + " "
                    + BinaryRowCodec.of(SCHEMA.partitionType()).decode(partition)
                    + bucket
                    + ": "
                    + row.getInt(0)
                    + row.getUTF8String(1)
                    + row.getInt(2)));
  }

  private void write(Known known, Object... rows) throws IOException {
    try (KeyRouting routing = routing(known, null)) {
      for (Object row : rows) {
        routing.write((UnsafeRow) row, ChangeKind.INSERT.code());
      }
    } finally {
      OpenKeys.end("job-" + disk + known);
    }
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void rowOfAKeyElsewhereMovesIt() throws IOException {
    write(
        Known.MOVES,
        row(1, "b", 5),
        row(1, "b", 6),
        row(2, "a", 7),
        row(1, "a", 8),
        row(9, "b", 9));
    assertThat(written)
        .containsExactly(
            "-D [a]7: 1a5",
            "+I [b]0: 1b5",
            "+I [b]0: 1b6",
            "+I [a]7: 2a7",
            "-D [b]0: 1b8",
            "+I [a]0: 1a8",
            "+I [b]0: 9b9");
  }

  @Test
  void rowStaysWhereTheKeyIs() throws IOException {
    write(Known.STAYS, row(1, "b", 5), row(3, "c", 6), row(3, "d", 7), row(2, "a", 8));
    assertThat(written)
        .containsExactly("+I [a]7: 1a5", "+I [c]0: 3c6", "+I [c]0: 3c7", "+I [a]7: 2a8");
  }

  @Test
  void rowsOfKnownKeysAreDropped() throws IOException {
    write(Known.DROPPED, row(1, "b", 5), row(2, "a", 6), row(3, "b", 7), row(3, "c", 8));
    assertThat(written).containsExactly("+I [b]0: 3b7");
  }

  @Test
  void bucketsAreFilledUpToTheirTarget() throws IOException {
    write(Known.MOVES, row(11, "b", 0), row(12, "b", 0), row(13, "b", 0), row(14, "a", 0));
    assertThat(written)
        .containsExactly("+I [b]0: 11b0", "+I [b]0: 12b0", "+I [b]1: 13b0", "+I [a]0: 14a0");
  }

  @Test
  void retractFollowsTheKey() throws IOException {
    try (KeyRouting routing = routing(Known.MOVES, null)) {
      routing.write(row(1, "z", 5), ChangeKind.UPDATE_BEFORE.code());
      routing.write(row(1, "y", 6), ChangeKind.UPDATE_AFTER.code());
      routing.write(row(1, "x", 7), ChangeKind.DELETE.code());
      assertThat(routing.givenPartitions()).hasSize(3);
      assertThat(routing.owns(3)).isTrue();
    } finally {
      OpenKeys.end("job-" + disk + Known.MOVES);
    }
    assertThat(written)
        .containsExactly("-U [a]7: 1a5", "-D [a]7: 1a6", "+U [y]0: 1y6", "-D [y]0: 1y7");
  }

  @Test
  void changesGoToTheRowsThatWereRead() throws IOException {
    ChangeRules changes = ChangeRules.of(Command.MERGE, "t", SCHEMA, KeyUpdate.MOVE);
    try (KeyRouting routing = routing(Known.STAYS, changes)) {
      routing.write(row(1, "a", 0), ChangeCode.ofOverride(ChangeKind.DELETE));
      routing.write(row(1, "b", 5), ChangeCode.ofMoved(ChangeKind.INSERT));
      routing.write(row(2, "a", 6), ChangeCode.ofRecord(ChangeKind.UPDATE_AFTER));
      routing.write(row(1, "a", 0), ChangeCode.ofOverride(ChangeKind.DELETE));
      assertThatThrownBy(
              () -> routing.write(row(2, "c", 7), ChangeCode.ofRecord(ChangeKind.INSERT)))
          .hasMessageContaining("MERGE gives more than one row to the key (k = 2)");
    } finally {
      OpenKeys.end("job-" + disk + Known.STAYS);
    }
    assertThat(written)
        .containsExactly("-D [a]7: 1a0", "+I [b]0: 1b5", "+U [a]7: 2a6", "-D [a]7: 1a0");
  }
}
