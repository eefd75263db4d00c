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

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The base keys of the writes that run in this process: loaded once for all tasks of a write, when
 * the first one asks for them, and closed when the write ends. A process that is not told when a
 * write ends, since only the driver knows, closes them some time after the last task has. Safe for
 * many threads.
 */
public final class OpenKeys {
  /** Loads the keys of a write. */
  @FunctionalInterface
  public interface Load {
    /** The keys; called at most once at a time. */
    BaseKeys load() throws IOException;
  }

  /** Keys of a write as one task has them, until it closes them. For one thread. */
  public static final class Lease implements Closeable {
    private final Entry entry;
    private final BaseKeys keys;
    private boolean isClosed;

    private Lease(Entry entry, BaseKeys keys) {
      this.entry = entry;
      this.keys = keys;
    }

    BaseKeys keys() {
      return keys;
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        release(entry);
      }
    }
  }

  private static final class Entry {
    private final String job;
    private int users;
    private boolean isEnded;
    private @Nullable Future<?> idle;
    private @Nullable BaseKeys keys;

    Entry(String job) {
      this.job = job;
    }

    synchronized BaseKeys load(Load load) throws IOException {
      BaseKeys known = keys;
      if (known == null) {
        known = load.load();
        keys = known;
      }
      return known;
    }

    synchronized void close() {
      if (keys != null) {
        try {
          keys.close();
        } catch (IOException | UncheckedIOException e) {
          LOG.warn("Cannot delete an index of keys", e);
        }
        keys = null;
      }
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(OpenKeys.class);

  /** Between two tasks of a write keys are kept so long. */
  private static final long IDLE_SECONDS = 60;

  private static final Map<String, Entry> OPEN = new HashMap<>();
  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private OpenKeys() {}

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            run -> {
              Thread thread = new Thread(run, "keylake-idle-keys");
              thread.setDaemon(true);
              return thread;
            });
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** The keys of a write, loaded now when they are not open yet. */
  public static Lease lease(String job, Load load) throws IOException {
    Entry entry;
    synchronized (OPEN) {
      entry = OPEN.computeIfAbsent(job, Entry::new);
      entry.users++;
      if (entry.idle != null) {
        entry.idle.cancel(false);
        entry.idle = null;
      }
    }
    boolean isDone = false;
    try {
      Lease lease = new Lease(entry, entry.load(load));
      isDone = true;
      return lease;
    } finally {
      if (!isDone) {
        release(entry);
      }
    }
  }

  private static void release(Entry entry) {
    synchronized (OPEN) {
      entry.users--;
      if (entry.users == 0 && !entry.isEnded) {
        entry.idle = TIMER.schedule(() -> closeIdle(entry), IDLE_SECONDS, TimeUnit.SECONDS);
        return;
      }
    }
    closeUnused(entry);
  }

  private static void closeIdle(Entry entry) {
    synchronized (OPEN) {
      if (entry.users > 0) {
        return;
      }
      entry.isEnded = true;
    }
    closeUnused(entry);
  }

  /** Says that a write has ended: its keys are closed as soon as no task of it is left. */
  public static void end(String job) {
    Entry entry;
    synchronized (OPEN) {
      entry = OPEN.get(job);
      if (entry == null) {
        return;
      }
      entry.isEnded = true;
    }
    closeUnused(entry);
  }

  private static void closeUnused(Entry entry) {
    synchronized (OPEN) {
      if (entry.users > 0 || !entry.isEnded) {
        return;
      }
      OPEN.remove(entry.job, entry);
    }
    entry.close();
  }

  /** How many writes have keys open in this process. */
  static int size() {
    synchronized (OPEN) {
      return OPEN.size();
    }
  }
}
