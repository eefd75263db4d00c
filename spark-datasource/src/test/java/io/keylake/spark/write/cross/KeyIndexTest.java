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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyIndexTest {
  @TempDir private Path disk;

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8).putInt(number).array();
  }

  private static int find(KeyIndex.Space space, int number) throws IOException {
    byte[] padded = ByteBuffer.allocate(12).putInt(-1).put(key(number)).array();
    return space.find(padded, 4, 8);
  }

  private BaseKeys loaded() throws IOException {
    KeyIndex index = new KeyIndex(Files.createDirectory(disk.resolve("keys")));
    try (KeyIndex.Loader loader = index.loader()) {
      loader.put(key(1), 0);
      loader.flush();
    }
    return new BaseKeys(index, List.of(), List.of());
  }

  @Test
  void manyKeysAreFoundFromManyThreads() throws Exception {
    try (KeyIndex index = new KeyIndex(disk)) {
      List<Callable<Long>> jobs =
          List.of(() -> fill(index, 0), () -> fill(index, 1), () -> fill(index, 2));
      assertThat(new LoadThreads(3).run(jobs, () -> {})).containsExactly(3000L, 3000L, 3000L);
      for (int number = 0; number < 9000; number += 7) {
        assertThat(find(index.base(), number)).isEqualTo(number / 3000);
      }
      assertThat(find(index.base(), 9000)).isEqualTo(KeyIndex.UNKNOWN);
    }
  }

  private static long fill(KeyIndex index, int place) throws IOException {
    try (KeyIndex.Loader loader = index.loader()) {
      for (int i = 0; i < 3000; i++) {
        loader.put(key(place * 3000 + i), place);
      }
      loader.flush();
    }
    return 3000;
  }

  @Test
  void taskSeesOnlyWhatItDecidedItself() throws Exception {
    try (KeyIndex index = new KeyIndex(disk)) {
      KeyIndex.Space first = index.newSpace();
      first.put(key(5), 0, 8, 42);
      assertThat(find(first, 5)).isEqualTo(42);
      first.put(key(5), 0, 8, 43);
      assertThat(find(first, 5)).isEqualTo(43);
      first.close();
      first.close();
      KeyIndex.Space second = index.newSpace();
      assertThat(find(second, 5)).isEqualTo(KeyIndex.UNKNOWN);
      assertThat(find(index.base(), 5)).isEqualTo(KeyIndex.UNKNOWN);
    }
  }

  @Test
  void nothingIsLeftOnDisk() throws Exception {
    BaseKeys keys = loaded();
    KeyIndex.Space open = keys.index().newSpace();
    keys.close();
    open.close();
    assertThat(disk).isEmptyDirectory();
    assertThatThrownBy(() -> keys.index().newSpace()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void failureOfOneStepIsTheFailureOfAll() {
    List<Callable<Long>> jobs =
        List.of(
            () -> 1L,
            () -> {
              throw new IllegalArgumentException("broken");
            });
    assertThatThrownBy(() -> new LoadThreads(2).run(jobs, () -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broken");
  }

  @Test
  void keysOfAWriteAreLoadedOnceAndClosedWhenItEnds() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    OpenKeys.Load load =
        () -> {
          loads.incrementAndGet();
          return loaded();
        };
    OpenKeys.Lease first = OpenKeys.lease("job", load);
    first.close();
    OpenKeys.Lease second = OpenKeys.lease("job", load);
    OpenKeys.end("job");
    assertThat(find(second.keys().index().base(), 1)).isZero();
    second.close();
    second.close();
    assertThat(loads).hasValue(1);
    assertThat(disk).isEmptyDirectory();
  }

  @Test
  void keysThatCannotBeLoadedLeaveNothingOpen() {
    assertThatThrownBy(
            () ->
                OpenKeys.lease(
                    "broken",
                    () -> {
                      throw new IOException("no disk");
                    }))
        .hasMessage("no disk");
    OpenKeys.end("broken");
    assertThat(OpenKeys.size()).isZero();
  }
}
