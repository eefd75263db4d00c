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

import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import java.util.Optional;

/** The statistics files of a table. Safe for use by many threads. */
public final class StatisticsStore {
  private final FileIO io;
  private final TableLayout layout;

  /** A store of the statistics of a table. */
  public StatisticsStore(FileIO io, TableLayout layout) {
    this.io = io;
    this.layout = layout;
  }

  /** The statistics a snapshot names; empty when it names none. */
  public Optional<Statistics> of(Snapshot snapshot) {
    String name = snapshot.statistics();
    if (name == null) {
      return Optional.empty();
    }
    Location file = layout.statistics(name);
    byte[] content =
        io.readIfExists(file)
            .orElseThrow(
                () ->
                    new CorruptTableException(
                        file.path(),
                        "Snapshot %d names statistics that do not exist. Run ANALYZE TABLE again."
                            .formatted(snapshot.id()),
                        null));
    return Optional.of(StatisticsCodec.read(content, file.path()));
  }

  /** Writes a new file of this name, for a snapshot to name. */
  public void create(String name, Statistics statistics) {
    io.create(layout.statistics(name), StatisticsCodec.write(statistics));
  }
}
