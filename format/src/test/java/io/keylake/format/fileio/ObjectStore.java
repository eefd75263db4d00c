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

package io.keylake.format.fileio;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of objects in memory. There are keys and contents only: no folders, and no rename. An
 * object appears as a whole; put-if-absent is atomic. A listing is no snapshot: others put and
 * delete while it goes on. Conditional puts can be made to fail before or after their effect. Safe
 * for many threads.
 */
public final class ObjectStore {
  private static final Map<String, ObjectStore> BUCKETS = new ConcurrentHashMap<>();

  /** What goes wrong with a conditional put. */
  public enum Fault {
    /** Nothing. */
    NONE,
    /** "503 Slow Down": it is refused. */
    REFUSED,
    /** It happens, but the reply is lost. */
    REPLY_LOST
  }

  /** Decides about each conditional put. */
  @FunctionalInterface
  public interface Faults {
    /** What goes wrong with the put of this key. */
    Fault next(String key);
  }

  /** An object. */
  static final class Stored {
    private final byte[] content;
    private final long time;

    Stored(byte[] content, long time) {
      this.content = content;
      this.time = time;
    }

    byte[] content() {
      return content;
    }

    long time() {
      return time;
    }
  }

  private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private final AtomicInteger renames = new AtomicInteger();
  private volatile boolean isConditional = true;
  private volatile Consumer<String> beforePuts = key -> {};
  private volatile Faults faults = key -> Fault.NONE;

  private ObjectStore() {}

  /** The bucket of this name, which all file systems of the process share. */
  public static ObjectStore bucket(String name) {
    return BUCKETS.computeIfAbsent(name, key -> new ObjectStore());
  }

  /** Makes an empty bucket of this name. */
  public static ObjectStore empty(String name) {
    ObjectStore store = new ObjectStore();
    BUCKETS.put(name, store);
    return store;
  }

  /** From now on it can not put if absent. */
  public void withoutConditions() {
    isConditional = false;
  }

  /** From now on {@code action} is called with the key before each plain put. */
  void beforePuts(Consumer<String> action) {
    beforePuts = action;
  }

  /** From now on puts go wrong as {@code next} says. */
  public void faults(Faults next) {
    faults = next;
  }

  /** Of each ten conditional puts about three go wrong, by chance. */
  public void unreliable(long seed) {
    Random random = new Random(seed);
    faults =
        key -> {
          synchronized (random) {
            int dice = random.nextInt(20);
            return dice < 3 ? Fault.REFUSED : dice < 6 ? Fault.REPLY_LOST : Fault.NONE;
          }
        };
  }

  /** How often somebody asked for a rename, which the store has not. */
  public int renames() {
    return renames.get();
  }

  void countRename() {
    renames.incrementAndGet();
  }

  boolean isConditional() {
    return isConditional;
  }

  /** All keys. */
  public List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  @Nullable Stored find(String key) {
    return objects.get(key);
  }

  Stored get(String key) throws FileNotFoundException {
    Stored found = objects.get(key);
    if (found == null) {
      throw new FileNotFoundException("404 " + key);
    }
    return found;
  }

  void put(String key, byte[] content) {
    beforePuts.accept(key);
    objects.put(key, new Stored(content, clock.incrementAndGet()));
  }

  void putIfAbsent(String key, byte[] content) throws IOException {
    Fault fault = faults.next(key);
    if (fault == Fault.REFUSED) {
      throw new IOException("503 Slow Down");
    }
    if (objects.putIfAbsent(key, new Stored(content, clock.incrementAndGet())) != null) {
      throw new FileAlreadyExistsException("412 " + key);
    }
    if (fault == Fault.REPLY_LOST) {
      throw new IOException("The request timed out");
    }
  }

  boolean delete(String key) {
    return objects.remove(key) != null;
  }

  /** Whether some key begins with this. */
  boolean hasPrefix(String prefix) {
    String next = objects.ceilingKey(prefix);
    return next != null && next.startsWith(prefix);
  }

  /** All keys that begin with this, one after the other. */
  List<String> list(String prefix) {
    List<String> found = new ArrayList<>();
    String next = objects.ceilingKey(prefix);
    while (next != null && next.startsWith(prefix)) {
      found.add(next);
      next = objects.higherKey(next);
    }
    return found;
  }
}
