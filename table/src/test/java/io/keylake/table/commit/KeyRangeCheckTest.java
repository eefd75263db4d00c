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

package io.keylake.table.commit;

import static io.keylake.table.commit.CommitFixture.added;
import static io.keylake.table.commit.CommitFixture.file;
import static io.keylake.table.commit.CommitFixture.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyRangeCheckTest {
  @TempDir Path folder;

  private List<OptionalLong> numbers(List<BucketChange> changes, ManifestEntry... others) {
    return new KeyRangeCheck(CommitFixture.keyed(folder, Map.of()).schema)
        .firstNumbers(changes, Arrays.asList(others));
  }

  private static ManifestEntry other(String partition, DataFile file) {
    return new ManifestEntry(EntryKind.ADD, partition(partition), 0, 2, file);
  }

  @Test
  void numbersContinueAboveEverythingInTheBucket() {
    assertThat(
            numbers(
                List.of(added("a", file("mine", 3, 9, 10))),
                other("a", file("theirs", 1, 5, 10)),
                other("a", file("more", 20, 29, 15))))
        .containsExactly(OptionalLong.of(25));
  }

  @Test
  void lowerNumbersAndOtherKeysAndOtherPartitionsDoNoHarm() {
    assertThat(
            numbers(
                List.of(added("a", file("mine", 3, 9, 10)), added("b", file("mine2", 3, 9, 10))),
                other("a", file("older", 1, 5, 5)),
                other("a", file("beside", 10, 12, 10)),
                other("c", file("elsewhere", 3, 9, 10))))
        .containsExactly(OptionalLong.empty(), OptionalLong.empty());
  }

  @Test
  void equalNumbersOfEqualKeysAreAffected() {
    assertThat(
            numbers(List.of(added("a", file("mine", 5, 5, 10))), other("a", file("x", 5, 5, 10))))
        .containsExactly(OptionalLong.of(11));
  }

  @Test
  void stagedFilesAreNotLookedAt() {
    DataFile staged = file("staged", 5, 5, -1);
    assertThat(numbers(List.of(added("a", staged)), other("a", file("x", 5, 5, 10))))
        .containsExactly(OptionalLong.empty());
  }
}
