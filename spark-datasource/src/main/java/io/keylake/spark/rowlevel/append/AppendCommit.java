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

package io.keylake.spark.rowlevel.append;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.compaction.Uninterrupted;
import io.keylake.spark.write.WriteTarget;
import io.keylake.spark.write.change.StatementCounts;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.scan.ReadRange;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what a statement marked and wrote as one snapshot.
 *
 * <ol>
 *   <li>Rows are taken away as of the newest snapshot. Files that others added meanwhile are in
 *       nobody's way, nor are other rows that they deleted from the same files.
 *   <li>When another commit comes between, it is made again from the snapshot that is newest then,
 *       {@value #REDOS} times; it fails at once when a touched file is gone, or a marked row.
 *   <li>Files that a try made are deleted before the next one, and when there is none; unless it
 *       cannot be learned whether the try happened.
 * </ol>
 *
 * <p>Lives on the driver, for one thread.
 */
final class AppendCommit {
  static final int REDOS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(AppendCommit.class);

  private final AppendStatement statement;
  private final WriteTarget target;
  private final SparkContext spark;
  private final TableCommitter committer;
  private @Nullable ReadRange reads;

  AppendCommit(AppendStatement statement) {
    this.statement = statement;
    this.target = statement.write();
    this.spark = SparkSession.active().sparkContext();
    this.committer =
        new TableCommitter(
            new CommitTable(target.storage(), target.schema(), target.options()),
            CommitEnvironment.system());
  }

  /**
   * Commits; no snapshot when nothing changes.
   *
   * @param rows files of new rows
   * @param marked positions of rows that go, by address of their file
   * @return the properties of the snapshot; empty without one
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when another statement is in
   *     the way: nothing is committed, the new rows are to be given up with {@link #abort}
   */
  Map<String, String> run(
      List<BucketChange> rows, Map<String, DeletionVector> marked, RowCounts counts) {
    reads = statement.readRange();
    TouchedFiles files =
        marked.isEmpty() ? null : TouchedFiles.of(target, statement.scanned(), marked);
    for (int tries = 0; ; tries++) {
      Try next = new Try(rows, counts);
      try {
        return files == null ? next.add() : next.remove(files);
      } catch (CommitConflictException e) {
        if (!next.mayBeRedone || tries >= REDOS) {
          throw e;
        }
        LOG.info("{} is committed again: {}", description(), e.getMessage());
      }
    }
  }

  /** One try, from the snapshot that is newest when it begins. */
  private final class Try {
    private final List<BucketChange> rows;
    private final RowCounts counts;
    private final RowRemoval removal = new RowRemoval(target, spark, description());
    private boolean mayBeRedone;

    Try(List<BucketChange> rows, RowCounts counts) {
      this.rows = rows;
      this.counts = counts;
    }

    /** Adds the new rows only. */
    Map<String, String> add() {
      return commit(request(rows));
    }

    /** Takes rows from files, and adds the new ones. */
    Map<String, String> remove(TouchedFiles files) {
      List<BucketChange> removed = List.of();
      boolean isDone = false;
      try {
        Snapshot newest = target.storage().snapshots().latest().orElse(null);
        removed = removal.changes(files.in(newest));
        Map<String, String> properties =
            commit(request(Stream.concat(removed.stream(), rows.stream()).toList()));
        isDone = true;
        return properties;
      } catch (CommitConflictException e) {
        mayBeRedone =
            e.condition() == Condition.KEYLAKE_CONCURRENT_MODIFICATION && !removed.isEmpty();
        throw e;
      } finally {
        if (!isDone) {
          discard(removed);
        }
      }
    }

    private void discard(List<BucketChange> removed) {
      Uninterrupted.run(
          () -> {
            if (removed.isEmpty()) {
              removal.discard();
            } else {
              committer.abort(request(removed));
            }
          });
    }

    private Map<String, String> commit(CommitRequest request) {
      return committer.commit(request.withProperties(properties())).snapshots().stream()
          .findFirst()
          .map(Snapshot::properties)
          .orElse(Map.of());
    }

    private Map<String, String> properties() {
      StatementCounts known = new StatementCounts(statement.operation(), null);
      switch (statement.command()) {
        case DELETE -> {
          known.rows("deleted", counts.deleted());
          switch (statement.purpose()) {
            case STATEMENT -> {}
            case OVERWRITE -> known.rows("inserted", counts.inserted());
          }
        }
        case UPDATE -> known.rows("updated", counts.updated());
        case MERGE ->
            known
                .rows("inserted", counts.inserted())
                .rows("updated", counts.updated())
                .rows("deleted", counts.deleted());
      }
      return known.rows("copied", removal.copiedRows()).properties();
    }
  }

  /** Deletes the files of new rows, unless they are, or may be, part of the table. */
  void abort(List<BucketChange> rows) {
    Uninterrupted.run(() -> committer.abort(request(rows)));
  }

  private CommitRequest request(List<BucketChange> changes) {
    return target
        .identity()
        .request(BucketChange.perBucket(changes))
        .basedOn(statement.read().snapshot())
        .reading(reads);
  }

  private String description() {
    return statement.command() + " on " + target.name().text();
  }
}
