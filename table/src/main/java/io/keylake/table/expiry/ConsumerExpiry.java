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

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.ConsumerStore;
import io.keylake.format.snapshot.TableStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets consumers that have not noted any progress for long, so that they hold back no history.
 *
 * <p>Rule source: table format, consumers (idle by the time of the file's last change).
 */
public final class ConsumerExpiry {
  private final TableStorage storage;

  /** The expiry of a branch's consumers. */
  public ConsumerExpiry(TableStorage storage) {
    this.storage = storage;
  }

  /** Forgets the consumers that are idle since before {@code olderThan}: their names. */
  public List<String> run(Instant olderThan) {
    return forget("", olderThan);
  }

  /**
   * Forgets the consumers of queries that ended without taking them back, by the time of {@code
   * now}: their names.
   */
  public List<String> runForQueries(Instant now) {
    return forget(ConsumerStore.TEMPORARY_PREFIX, now.minus(ConsumerStore.TEMPORARY_AGE));
  }

  private List<String> forget(String prefix, Instant olderThan) {
    List<String> forgotten = new ArrayList<>();
    for (FileStatus file : storage.io().list(storage.layout().consumerFolder())) {
      String name = file.location().name();
      boolean isIdle =
          !file.isDirectory()
              && name.startsWith(TableLayout.CONSUMER_PREFIX + prefix)
              && file.modifiedMillis() < olderThan.toEpochMilli();
      if (isIdle) {
        String consumer = name.substring(TableLayout.CONSUMER_PREFIX.length());
        storage.consumers().delete(consumer);
        forgotten.add(consumer);
      }
    }
    return forgotten;
  }
}
