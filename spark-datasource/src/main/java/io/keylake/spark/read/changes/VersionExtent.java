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

package io.keylake.spark.read.changes;

import io.keylake.table.changes.Bound;
import io.keylake.table.changes.ChangeBounds;
import io.keylake.table.changes.ChangeBounds.End;
import io.keylake.table.changes.ChangeLog;
import io.keylake.table.changes.ChangeRange;
import io.keylake.table.changes.ChangeRules;
import io.keylake.table.changes.CommitChanges;
import io.keylake.table.options.TableOptions;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.spark.sql.connector.catalog.ChangelogRange;

/**
 * Every change of the table's content in a range, as {@code CHANGES} gives them.
 *
 * @param range the range as Spark has parsed it
 */
public record VersionExtent(ChangelogRange range) implements ChangeExtent {
  @Override
  public List<CommitChanges> commits(ChangeTarget target, ChangeLog log, LongPredicate wanted) {
    return resolve(target, log).commits(log, ChangeRules.exact(), wanted);
  }

  /** The ids of the range. */
  public ChangeRange resolve(ChangeTarget target, ChangeLog log) {
    ChangeBounds bounds = new ChangeBounds(log, target.storage(), target.newest());
    if (range instanceof ChangelogRange.VersionRange versions) {
      return bounds.versions(
          new End<>(versions.startingVersion(), bound(versions.startingBoundInclusive())),
          versions
              .endingVersion()
              .map(end -> new End<>(end, bound(versions.endingBoundInclusive())))
              .orElse(null));
    }
    if (range instanceof ChangelogRange.TimestampRange times) {
      return bounds.timestamps(
          new End<>(times.startingTimestamp(), bound(times.startingBoundInclusive())),
          times
              .endingTimestamp()
              .map(end -> new End<>(end, bound(times.endingBoundInclusive())))
              .orElse(null));
    }
    return bounds.everything(ChangeRules.exact());
  }

  private static Bound bound(boolean inclusive) {
    return inclusive ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }

  @Override
  public String describe(TableOptions options) {
    String source =
        switch (options.merge().changelogProducer()) {
          case NONE -> "computed between snapshots";
          case INPUT -> "stored changelog (input)";
          case LOOKUP -> "stored changelog (lookup)";
          case FULL_COMPACTION -> "stored changelog (full-compaction)";
        };
    return "changes of " + ofRange() + ", " + source;
  }

  private String ofRange() {
    if (range instanceof ChangelogRange.VersionRange versions) {
      return "versions "
          + (versions.startingBoundInclusive() ? "[" : "(")
          + versions.startingVersion()
          + ", "
          + versions.endingVersion().orElse("newest")
          + (versions.endingBoundInclusive() ? "]" : ")");
    }
    if (range instanceof ChangelogRange.TimestampRange times) {
      return "times "
          + (times.startingBoundInclusive() ? "[" : "(")
          + times.startingTimestamp()
          + ", "
          + times.endingTimestamp().map(String::valueOf).orElse("newest")
          + (times.endingBoundInclusive() ? "]" : ")");
    }
    return "all versions";
  }
}
