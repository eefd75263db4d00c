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

import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.MergeOptions;
import java.io.Serializable;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a write does with keys that are in another partition already. Travels to executors.
 *
 * @param job names the write; no other has it
 * @param known what becomes of rows of such keys
 * @param base the snapshot whose keys are known; null = none is
 * @param replaced partitions of {@code base} whose rows are replaced: their keys do not count
 * @param writtenSince files that were created before it are not looked at, in milliseconds of the
 *     writer's wall clock; null = all are
 * @param threads how many threads of a process read keys
 * @param assigners what gives new keys their buckets
 */
public record CrossRules(
    String job,
    Known known,
    @Nullable Snapshot base,
    Set<BinaryRow> replaced,
    @Nullable Long writtenSince,
    int threads,
    AssignerRules assigners)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What becomes of a row whose key is in another partition. */
  public enum Known {
    /** It is deleted there, and the row is written where it says. */
    MOVES,
    /** The row is written there. */
    STAYS,
    /** The row is dropped, in whichever partition the key is. */
    DROPPED;

    static Known of(MergeOptions.Engine engine) {
      return switch (engine) {
        case DEDUPLICATE -> MOVES;
        case PARTIAL_UPDATE, AGGREGATION -> STAYS;
        case FIRST_ROW -> DROPPED;
      };
    }
  }

  /** Copies the set. */
  public CrossRules {
    replaced = Set.copyOf(replaced);
  }

  /** The rules of a write that knows all keys of {@code base}. */
  public static CrossRules of(
      String job,
      MergeOptions.Engine engine,
      @Nullable Snapshot base,
      BucketOptions.KeyIndex index,
      AssignerRules assigners) {
    return new CrossRules(job, Known.of(engine), base, Set.of(), null, index.threads(), assigners);
  }

  /** The same rules of a write that replaces partitions. */
  public CrossRules replacing(Set<BinaryRow> partitions) {
    return new CrossRules(job, known, base, partitions, writtenSince, threads, assigners);
  }

  /** The same rules, for which keys of old files are new, where the options say so. */
  public CrossRules forgetting(BucketOptions.KeyIndex index, Clock clock) {
    if (index.timeToLive() == null) {
      return this;
    }
    long since =
        LocalDateTime.now(clock).minus(index.timeToLive()).toInstant(ZoneOffset.UTC).toEpochMilli();
    return new CrossRules(job, known, base, replaced, since, threads, assigners);
  }
}
