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

package io.keylake.table.upkeep;

import io.keylake.format.errors.TableException;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.TableOptions;
import io.keylake.table.reference.AutomaticTags;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a batch job does after its commit, in this order: tags that the table makes by itself. None
 * of it with {@code write-only}. A step that fails is logged, and the others go on: the commit has
 * happened. Safe for use by many threads.
 *
 * <p>Rule source: table format, commit protocol (maintenance). Pinned by {@code AutomaticTagsTest}.
 */
public final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

  private final TableStorage storage;
  private final TableOptions options;
  private final Clock clock;

  /**
   * The upkeep of a branch of a table.
   *
   * @param options those of the statement over those of the table
   * @param clock tells the time and the zone
   */
  public Upkeep(TableStorage storage, TableOptions options, Clock clock) {
    this.storage = storage;
    this.options = options;
    this.clock = clock;
  }

  private record Step(String name, Runnable work) {}

  /** Does what is due. */
  public void afterCommit() {
    if (options.compaction().writeOnly()) {
      return;
    }
    List<Step> steps =
        List.of(
            new Step("making tags", () -> new AutomaticTags(storage, options, clock).createDue()));
    for (Step step : steps) {
      try {
        step.work().run();
      } catch (TableException | UncheckedIOException e) {
        LOG.warn(
            "After a commit to {}, {} failed: {}", storage.name(), step.name(), e.getMessage());
      }
    }
  }
}
