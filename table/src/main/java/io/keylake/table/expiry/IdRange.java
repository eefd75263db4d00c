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

package io.keylake.table.expiry;

import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.snapshot.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Consecutive ids of snapshots or changelogs.
 *
 * @param first the first
 * @param end the one after the last
 */
record IdRange(long first, long end) {
  private static final int READ_TOGETHER = 64;

  boolean isEmpty() {
    return end <= first;
  }

  long size() {
    return Math.max(0, end - first);
  }

  /** The first {@code count} of them. */
  IdRange head(long count) {
    return new IdRange(first, Math.min(end, first + count));
  }

  /** Those that exist, in order. */
  List<Snapshot> read(LongFunction<Optional<Snapshot>> find) {
    List<Snapshot> found = new ArrayList<>();
    ParallelReads.<Long, Optional<Snapshot>>forEach(
        LongStream.range(first, end).boxed().toList(),
        id -> find.apply(id),
        version -> version.ifPresent(found::add));
    return found;
  }

  /**
   * The ids of this range that expire: all up to the first, from {@code byAge} on, that is not
   * older than {@code olderThan}.
   */
  IdRange expired(long byAge, Instant olderThan, LongFunction<Optional<Snapshot>> find) {
    for (long id = Math.max(first, byAge); id < end; id += READ_TOGETHER) {
      for (Snapshot version : new IdRange(id, end).head(READ_TOGETHER).read(find)) {
        if (version.timeMillis() >= olderThan.toEpochMilli()) {
          return new IdRange(first, version.id());
        }
      }
    }
    return this;
  }
}
