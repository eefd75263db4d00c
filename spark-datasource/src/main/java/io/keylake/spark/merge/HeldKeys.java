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

package io.keylake.spark.merge;

import io.keylake.spark.file.ValueRange;
import io.keylake.spark.merge.keys.KeyBatch;
import io.keylake.spark.merge.rows.SequenceOrder;
import io.keylake.table.split.MergeSplit;
import io.keylake.table.split.Probe;
import io.keylake.table.split.ScanUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of small probes that several units of a split ask for: decoded once, kept in memory up
 * to a bound. Decoding keys is most of what a probe costs.
 *
 * <p>A probe is kept when each of its rows hides the unit's row of the same key: nothing but keys
 * must be compared. Everything else is read anew for each unit by a {@link ProbeRun}. For one
 * thread.
 */
final class HeldKeys {
  /** The most bytes of keys that one task keeps. */
  private static final long MAX_BYTES = 32L << 20;

  private record Held(ValueRange range, List<KeyBatch> batches, long bytes) {}

  private final ReadTask task;
  private final SequenceOrder order;
  private final Map<String, Integer> uses = new HashMap<>();
  private final Set<String> tooLarge = new HashSet<>();
  private final Map<String, Held> held = new HashMap<>();
  private long bytes;

  HeldKeys(ReadTask task, SequenceOrder order, MergeSplit split) {
    this.task = task;
    this.order = order;
    for (ScanUnit unit : split.units()) {
      unit.probes().forEach(probe -> uses.merge(probe.path(), 1, Integer::sum));
    }
  }

  /** A cursor over the keys of a run in memory; null when they must be read. */
  @Nullable ProbeCursor open(ProbeRange range, List<Probe> probes) throws IOException {
    if (!probes.stream().allMatch(this::canBeHeld)) {
      return null;
    }
    List<KeyBatch> batches = new ArrayList<>();
    for (Probe probe : probes) {
      if (!range.excludes(probe.file().minKey(), probe.file().maxKey())) {
        Held keys = load(probe, range);
        if (keys == null) {
          return null;
        }
        batches.addAll(keys.batches());
      }
    }
    return new HeldRun(batches);
  }

  private boolean canBeHeld(Probe probe) {
    return uses.getOrDefault(probe.path(), 0) > 1
        && !probe.compareSequence()
        && probe.vector() == null
        && !(task.retractsHideNothing() && probe.file().mayHoldDeletes())
        && !tooLarge.contains(probe.path());
  }

  private @Nullable Held load(Probe probe, ProbeRange range) throws IOException {
    Held known = held.get(probe.path());
    if (known != null && range.isWithin(known.range())) {
      return known;
    }
    ProbeRange wanted = known == null ? range : range.and(known.range());
    List<KeyBatch> batches = new ArrayList<>();
    long size = 0;
    long before = known == null ? 0 : known.bytes();
    try (ProbeRun run = new ProbeRun(task, order, wanted, List.of(probe))) {
      while (run.advance()) {
        KeyBatch copy = run.keys().copy();
        batches.add(copy);
        size += copy.bytes();
        if (bytes - before + size > MAX_BYTES) {
          bytes -= before;
          held.remove(probe.path());
          tooLarge.add(probe.path());
          return null;
        }
        run.passTo(copy.size());
      }
    }
    bytes += size - before;
    Held loaded = new Held(wanted.unit(), batches, size);
    held.put(probe.path(), loaded);
    return loaded;
  }
}
