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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.spark.stream.StreamView;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.ChangelogRange;

/** Ranges of changes as streams take them. */
final class StreamRanges {
  private static final long MICROS = 1000;
  private static final String LATEST = "latest";

  private StreamRanges() {}

  /**
   * The range that Spark has parsed; empty when it has no bounds. A start behind the newest version
   * ({@code latest}) is none: that is where a new query starts, and none of its later runs.
   */
  static Optional<StreamView.Range> of(ChangelogRange range, TableStorage storage) {
    if (range instanceof ChangelogRange.VersionRange versions) {
      if (versions.endingVersion().isEmpty() && isLatest(versions.startingVersion(), storage)) {
        return Optional.empty();
      }
      long from =
          version(versions.startingVersion(), storage)
              + (versions.startingBoundInclusive() ? 0 : 1);
      Long to =
          versions
              .endingVersion()
              .map(end -> version(end, storage) - (versions.endingBoundInclusive() ? 0 : 1))
              .orElse(null);
      return Optional.of(new StreamView.Range(from, to, null, null));
    }
    if (range instanceof ChangelogRange.TimestampRange times) {
      long start = times.startingTimestamp();
      long from =
          times.startingBoundInclusive()
              ? -Math.floorDiv(-start, MICROS)
              : Math.floorDiv(start, MICROS) + 1;
      Long to =
          times
              .endingTimestamp()
              .map(
                  end ->
                      times.endingBoundInclusive()
                          ? Math.floorDiv(end, MICROS)
                          : -Math.floorDiv(-end, MICROS) - 1)
              .orElse(null);
      return Optional.of(new StreamView.Range(null, null, from, to));
    }
    return Optional.empty();
  }

  private static boolean isLatest(String version, TableStorage storage) {
    return version.equalsIgnoreCase(LATEST) && storage.tags().find(version).isEmpty();
  }

  private static long version(String text, TableStorage storage) {
    Optional<Tag> tag = storage.tags().find(text);
    if (tag.isPresent()) {
      return tag.get().snapshot().id();
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_VERSION_NOT_FOUND,
          "Table "
              + storage.name()
              + " has no version '"
              + text
              + "': a version is the id of a snapshot or the name of a tag. Its tags are "
              + storage.tags().names()
              + ".");
    }
    return Long.parseLong(text);
  }
}
