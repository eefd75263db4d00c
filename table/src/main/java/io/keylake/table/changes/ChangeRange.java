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

package io.keylake.table.changes;

import io.keylake.format.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * A range of snapshot ids, both ends included; empty when {@code last} is less than {@code first}.
 *
 * @param first the first id
 * @param last the last id
 * @param basis which id of a commit has to be in the range
 */
public record ChangeRange(long first, long last, Basis basis) {
  /** Which id of a commit counts. */
  public enum Basis {
    /** That of the commit whose changes they are. */
    COMMITTED,
    /** That of the snapshot that lists the files. */
    LANDED
  }

  /** Whether no id is in the range. */
  public boolean isEmpty() {
    return last < first;
  }

  /** The commits of the range, in their order. */
  public List<CommitChanges> commits(ChangeLog log, ChangeRules rules) {
    return commits(log, rules, id -> true);
  }

  /**
   * The commits of the range, in their order.
   *
   * @param wanted tells of an id whether changes of that version are wanted; others may come too
   */
  public List<CommitChanges> commits(ChangeLog log, ChangeRules rules, LongPredicate wanted) {
    List<CommitChanges> commits = new ArrayList<>();
    for (long id = first; id <= last; id++) {
      if (wanted.test(id) || (basis == Basis.COMMITTED && wanted.test(id - 1))) {
        log.of(id, rules).filter(changes -> contains(changes.version())).ifPresent(commits::add);
      }
    }
    if (basis == Basis.COMMITTED && !isEmpty() && wanted.test(last)) {
      Optional<Snapshot> next = log.find(last + 1);
      next.flatMap(snapshot -> log.of(snapshot, rules, last)).ifPresent(commits::add);
    }
    return commits;
  }

  private boolean contains(long version) {
    return basis == Basis.LANDED || (version >= first && version <= last);
  }
}
