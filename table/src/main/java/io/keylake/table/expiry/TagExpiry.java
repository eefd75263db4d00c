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

import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes tags whose time is over: their creation is longer ago than they are retained, or before a
 * given time. Only tags that were made with a retention have a time of creation; others stay.
 *
 * <p>Times are the local ones of the writer. Data files that only the tag needed are left to the
 * removal of orphans.
 *
 * <p>Rule source: table format, tags. Pinned by {@code AutomaticExpiryTest}.
 */
public final class TagExpiry {
  private final TableStorage storage;

  /** The expiry of a branch's tags. */
  public TagExpiry(TableStorage storage) {
    this.storage = storage;
  }

  /**
   * The names of the tags whose time is over.
   *
   * @param now the local time
   * @param olderThan also tags that were created before; null = none
   */
  public List<String> expired(LocalDateTime now, @Nullable LocalDateTime olderThan) {
    return storage.tags().all().stream()
        .filter(tag -> isOver(tag, now, olderThan))
        .map(Tag::name)
        .sorted()
        .toList();
  }

  private static boolean isOver(Tag tag, LocalDateTime now, @Nullable LocalDateTime olderThan) {
    LocalDateTime created = tag.createTime();
    Duration retained = tag.timeRetained();
    if (created == null || retained == null) {
      return false;
    }
    return created.plus(retained).isBefore(now)
        || (olderThan != null && created.isBefore(olderThan));
  }

  /** Removes these tags. */
  public void remove(List<String> names) {
    for (String name : names) {
      storage.tags().delete(name);
      storage.io().delete(storage.layout().tagSuccess(name));
    }
  }
}
