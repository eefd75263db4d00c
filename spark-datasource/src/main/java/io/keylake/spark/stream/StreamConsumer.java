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

package io.keylake.spark.stream;

import io.keylake.format.snapshot.ConsumerStore;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Keeps snapshots that a query will read from expiring: the table holds the next one under a
 * consumer's name, which every engine respects.
 *
 * <ol>
 *   <li>With {@code consumer-id} the name is that one, and stays when the query stops.
 *   <li>Without, the name comes from the place of the query's checkpoint, is taken back when the
 *       query stops, and is forgotten by the table's next expiry when it has not been renewed for
 *       {@link ConsumerStore#TEMPORARY_AGE}. Where the query may not write into the table it goes
 *       on without.
 * </ol>
 *
 * For one thread, but for {@link #close}.
 */
final class StreamConsumer implements AutoCloseable {
  private static final Duration RENEWAL = Duration.ofMinutes(10);

  private final ConsumerStore store;
  private final String name;
  private final Lifetime lifetime;
  private final Need need;
  private final Clock clock;
  private long noted = -1;
  private long notedMillis;
  private boolean canWrite = true;

  private enum Lifetime {
    OF_TABLE,
    OF_QUERY
  }

  /** Which snapshots a query needs that reads one next. */
  enum Need {
    /** That and later ones. */
    NEXT(0),
    /** Also the one before it, whose state its changes are computed from. */
    STATE_BEFORE(1);

    private final int older;

    Need(int older) {
      this.older = older;
    }
  }

  private StreamConsumer(
      ConsumerStore store, String name, Lifetime lifetime, Need need, Clock clock) {
    this.store = store;
    this.name = name;
    this.lifetime = lifetime;
    this.need = need;
    this.clock = clock;
  }

  /** A consumer that users have named. */
  static StreamConsumer named(ConsumerStore store, String name, Need need, Clock clock) {
    return new StreamConsumer(store, name, Lifetime.OF_TABLE, need, clock);
  }

  /** The consumer of a query with this checkpoint. */
  static StreamConsumer ofQuery(ConsumerStore store, String checkpoint, Need need, Clock clock) {
    return new StreamConsumer(
        store, ConsumerStore.TEMPORARY_PREFIX + digest(checkpoint), Lifetime.OF_QUERY, need, clock);
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** Its name. */
  String name() {
    return name;
  }

  /** Notes that nothing before the snapshot that follows {@code position} is needed any more. */
  synchronized void note(StreamPosition position) {
    long next = Math.max(1, position.nextSnapshot());
    long now = clock.millis();
    boolean isFresh = next == noted && now - notedMillis < RENEWAL.toMillis();
    if (isFresh || !canWrite) {
      return;
    }
    try {
      store.write(name, next, Math.max(1, next - need.older));
    } catch (UncheckedIOException e) {
      if (lifetime == Lifetime.OF_TABLE) {
        throw e;
      }
      canWrite = false;
    }
    noted = next;
    notedMillis = now;
  }

  @Override
  public synchronized void close() {
    if (lifetime == Lifetime.OF_QUERY && canWrite && noted >= 0) {
      canWrite = false;
      store.delete(name);
    }
  }
}
