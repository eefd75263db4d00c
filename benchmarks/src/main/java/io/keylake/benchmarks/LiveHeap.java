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

package io.keylake.benchmarks;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * The largest heap that collections of the process left in use, until closed: what the work held,
 * without its garbage. Two full collections, at the beginning and at the end, make sure that there
 * is a number.
 */
final class LiveHeap implements AutoCloseable {
  private final AtomicLong largest = new AtomicLong();
  private final List<NotificationEmitter> collectors = new ArrayList<>();
  private final NotificationListener listener =
      (notification, unused) -> note((CompositeData) notification.getUserData());
  private final long before;

  LiveHeap() {
    before = usedAfterCollection();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
        collectors.add(emitter);
      }
    }
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private void note(CompositeData data) {
    long used =
        GarbageCollectionNotificationInfo.from(data)
            .getGcInfo()
            .getMemoryUsageAfterGc()
            .values()
            .stream()
            .mapToLong(usage -> usage.getUsed())
            .sum();
    largest.accumulateAndGet(used, Math::max);
  }

  /** Bytes beyond those that were in use at the beginning. */
  long grownBytes() {
    return Math.max(0, Math.max(largest.get(), usedAfterCollection()) - before);
  }

  @Override
  public void close() {
    for (NotificationEmitter collector : collectors) {
      try {
        collector.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
