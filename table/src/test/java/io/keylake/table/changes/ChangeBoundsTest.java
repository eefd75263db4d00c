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

package io.keylake.table.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.golden.GoldenTables;
import io.keylake.table.changes.ChangeBounds.End;
import io.keylake.table.changes.ChangeRange.Basis;
import io.keylake.table.options.TableOptions;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users give as bounds, and what becomes of it. */
final class ChangeBoundsTest {
  private static final End<String> FROM_ONE = new End<>("1", Bound.INCLUSIVE);

  @TempDir private Path folder;

  private TableStorage storage;
  private ChangeLog log;

  private ChangeBounds bounds(String table) {
    storage =
        TableStorage.of(
            "golden." + table,
            HadoopFileIO.of(new Configuration(false)),
            TableLayout.of(new Location("file:" + GoldenTables.unpack(table, folder))));
    TableSchema schema = storage.schemas().latest().orElseThrow();
    log = new ChangeLog(storage, schema, TableOptions.of(schema));
    return new ChangeBounds(log, storage, storage.snapshots().latest().orElse(null));
  }

  private static ChangeRange committed(long first, long last) {
    return new ChangeRange(first, last, Basis.COMMITTED);
  }

  @Test
  void eachEndIsInOrOut() {
    ChangeBounds bounds = bounds("cl_lookup");

    assertThat(bounds.versions(FROM_ONE, null)).isEqualTo(committed(1, 4));
    assertThat(bounds.versions(FROM_ONE, new End<>("3", Bound.INCLUSIVE)))
        .isEqualTo(committed(1, 3));
    assertThat(bounds.versions(new End<>("1", Bound.EXCLUSIVE), new End<>("3", Bound.EXCLUSIVE)))
        .isEqualTo(committed(2, 2));
    assertThat(
            bounds
                .versions(new End<>("2", Bound.EXCLUSIVE), new End<>("2", Bound.INCLUSIVE))
                .isEmpty())
        .isTrue();
    assertThat(bounds.versions(new End<>("4", Bound.EXCLUSIVE), null).isEmpty()).isTrue();
  }

  @Test
  void tagsAreVersions() {
    ChangeBounds bounds = bounds("tags_branches");
    String tag = storage.tags().names().get(0);

    assertThat(bounds.version(tag))
        .isEqualTo(storage.tags().find(tag).orElseThrow().snapshot().id());
  }

  @Test
  void badVersionsAreRefusedByName() {
    ChangeBounds bounds = bounds("cl_lookup");

    refused(
        () -> bounds.versions(new End<>("5", Bound.INCLUSIVE), null),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "Version 5 of table golden.cl_lookup has not been committed yet. The oldest version"
            + " available is 1, the newest 4.");
    refused(
        () -> bounds.versions(FROM_ONE, new End<>("9", Bound.INCLUSIVE)),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "Version 9 ");
    refused(
        () -> bounds.versions(new End<>("0", Bound.INCLUSIVE), null),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "The oldest version available is 1");
    refused(
        () -> bounds.versions(new End<>("3", Bound.INCLUSIVE), new End<>("2", Bound.INCLUSIVE)),
        Condition.KEYLAKE_INVALID_REQUEST,
        "from version 3 to version 2, which is before it");
    for (String text : List.of("", "x", "-1", "1.5", "99999999999999999999")) {
      refused(
          () -> bounds.version(text),
          Condition.KEYLAKE_VERSION_NOT_FOUND,
          "'" + text + "' is no version");
    }
  }

  @Test
  void expiredVersionsNameTheOldestOneLeft() {
    ChangeBounds bounds = bounds("expired");

    refused(
        () -> bounds.versions(FROM_ONE, null),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "The changes of version 1 of table golden.expired have expired. The oldest version"
            + " available is 5, the newest 6.");
    assertThat(bounds.versions(new End<>("4", Bound.EXCLUSIVE), null)).isEqualTo(committed(5, 6));
    assertThat(bounds.everything(ChangeRules.exact()).last()).isEqualTo(6);
  }

  @Test
  void timesSelectTheCommitsFromOneToTheOther() {
    ChangeBounds bounds = bounds("cl_lookup");
    List<Snapshot> all = storage.snapshots().all();
    long second = all.get(1).timeMillis() * 1000;
    long third = all.get(2).timeMillis() * 1000;

    assertThat(bounds.timestamps(new End<>(second, Bound.INCLUSIVE), null))
        .isEqualTo(committed(2, 4));
    assertThat(bounds.timestamps(new End<>(second, Bound.EXCLUSIVE), null))
        .isEqualTo(committed(3, 4));
    assertThat(bounds.timestamps(new End<>(0L, Bound.INCLUSIVE), new End<>(third, Bound.EXCLUSIVE)))
        .isEqualTo(committed(1, 2));
    assertThat(
            bounds.timestamps(
                new End<>(0L, Bound.INCLUSIVE), new End<>(Long.MAX_VALUE / 2, Bound.INCLUSIVE)))
        .isEqualTo(committed(1, 4));
    refused(
        () -> bounds.timestamps(new End<>(Long.MAX_VALUE / 2, Bound.INCLUSIVE), null),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "has not been made yet");
    refused(
        () ->
            bounds.timestamps(
                new End<>(third, Bound.INCLUSIVE), new End<>(second, Bound.INCLUSIVE)),
        Condition.KEYLAKE_INVALID_REQUEST,
        "which is before it");
  }

  @Test
  void timesBeforeTheExpiredPartAreRefused() {
    ChangeBounds bounds = bounds("expired");

    refused(
        () -> bounds.timestamps(new End<>(0L, Bound.INCLUSIVE), null),
        Condition.KEYLAKE_VERSION_NOT_FOUND,
        "have expired. The oldest version available is 5");
  }

  @Test
  void theFormatsRangesStartBehindAVersion() {
    ChangeBounds bounds = bounds("cl_lookup");

    assertThat(bounds.landedBetween(0, 4)).isEqualTo(new ChangeRange(1, 4, Basis.LANDED));
    assertThat(bounds.landedBetween(2, 2).isEmpty()).isTrue();
    refused(() -> bounds.landedBetween(2, 5), Condition.KEYLAKE_VERSION_NOT_FOUND, "Version 5 ");
    refused(() -> bounds.landedBetween(3, 2), Condition.KEYLAKE_INVALID_REQUEST, "before it");
    assertThat(bounds.landedBetweenTimes(0, Long.MAX_VALUE / 2000))
        .isEqualTo(new ChangeRange(1, 4, Basis.LANDED));
    assertThat(bounds.landedBetweenTimes(0, 0).isEmpty()).isTrue();
  }

  private static void refused(ThrowingCallable work, Condition condition, String message) {
    assertThatThrownBy(work)
        .isInstanceOf(TableException.class)
        .hasMessageContaining(message)
        .extracting(failure -> ((TableException) failure).condition())
        .isEqualTo(condition);
  }
}
