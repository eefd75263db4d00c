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

package io.keylake.format.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.schema.JsonFile;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How far the named consumers of a table have read: {@code consumer/consumer-<id>} holds {@code
 * nextSnapshot}, the next snapshot the consumer will read. Expiry keeps snapshots from there on, or
 * from {@code keylake.keptFrom} where a consumer needs older ones; other engines pass over that.
 * Safe for use by many threads.
 *
 * <p>Rule source: table format, consumers; pinned by {@code SnapshotStoreTest}.
 */
public final class ConsumerStore {
  /** How the names of consumers begin that live no longer than the query that made them. */
  public static final String TEMPORARY_PREFIX = "keylake-query-";

  /** A temporary consumer that has not been renewed for so long belongs to no query any more. */
  public static final Duration TEMPORARY_AGE = Duration.ofDays(1);

  private static final String NEXT_SNAPSHOT = "nextSnapshot";
  private static final String KEPT_FROM = "keylake.keptFrom";

  private final FileIO io;
  private final TableLayout layout;

  /** A store of the consumers of a branch. */
  public ConsumerStore(FileIO io, TableLayout layout) {
    this.io = io;
    this.layout = layout;
  }

  /** The file of a consumer. */
  public Location file(String consumer) {
    return layout.consumer(consumer);
  }

  /** The next snapshot the consumer will read; empty when the consumer is unknown. */
  public OptionalLong nextSnapshot(String consumer) {
    Location file = file(consumer);
    Optional<byte[]> content = io.readIfExists(file);
    return content.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(JsonFile.parse(content.get(), file.path()).requiredLong(NEXT_SNAPSHOT));
  }

  /** The next snapshot of each consumer, by name. */
  public Map<String, Long> all() {
    return all(this::nextSnapshot);
  }

  private Map<String, Long> all(Function<String, OptionalLong> id) {
    Map<String, Long> consumers = new TreeMap<>();
    for (FileStatus status : io.list(layout.consumerFolder())) {
      String name = status.location().name();
      if (!status.isDirectory() && name.startsWith(TableLayout.CONSUMER_PREFIX)) {
        String consumer = name.substring(TableLayout.CONSUMER_PREFIX.length());
        id.apply(consumer).ifPresent(found -> consumers.put(consumer, found));
      }
    }
    return consumers;
  }

  /** The smallest next snapshot of a consumer; empty when there are no consumers. */
  public OptionalLong smallestNextSnapshot() {
    return all().values().stream().mapToLong(Long::longValue).min();
  }

  /** The smallest id of a snapshot that a consumer needs; empty when there are no consumers. */
  public OptionalLong smallestKept() {
    return all(this::keptFrom).values().stream().mapToLong(Long::longValue).min();
  }

  private OptionalLong keptFrom(String consumer) {
    Location file = file(consumer);
    Optional<byte[]> content = io.readIfExists(file);
    if (content.isEmpty()) {
      return OptionalLong.empty();
    }
    JsonFile json = JsonFile.parse(content.get(), file.path());
    long next = json.requiredLong(NEXT_SNAPSHOT);
    Long kept = json.optionalLong(KEPT_FROM);
    return OptionalLong.of(kept == null ? next : Math.min(kept, next));
  }

  /** Notes how far a consumer is, creating it if it is new. */
  public void write(String consumer, long nextSnapshot) {
    write(consumer, nextSnapshot, nextSnapshot);
  }

  /**
   * Notes how far a consumer is, creating it if it is new.
   *
   * @param keptFrom the first snapshot that it needs, which may be older than the next it reads
   */
  public void write(String consumer, long nextSnapshot, long keptFrom) {
    ObjectNode json = JsonFile.newObject();
    json.put(NEXT_SNAPSHOT, nextSnapshot);
    if (keptFrom < nextSnapshot) {
      json.put(KEPT_FROM, keptFrom);
    }
    io.overwrite(file(consumer), JsonFile.write(json));
  }

  /** Forgets a consumer; nothing happens when it is unknown. */
  public void delete(String consumer) {
    io.delete(file(consumer));
  }
}
