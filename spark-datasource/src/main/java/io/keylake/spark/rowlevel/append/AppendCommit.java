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
import io.keylake.format.fileio.Ids;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.FileChanges;
import io.keylake.table.commit.TableCommitter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

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

  private record Bucket(BinaryRow partition, int bucket) {}

  private final AppendStatement statement;
  private final WriteTarget target;
  private final SparkContext spark;
  private final String user = Ids.random().next();
  private final TableCommitter committer;

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
   * @throws CommitConflictException KEYLAKE_CONCURRENT_MODIFICATION when another statement is in
   *     the way: nothing is committed, the new rows are to be given up with {@link #abort}
   */
  void run(List<BucketChange> rows, Map<String, DeletionVector> marked, RowCounts counts) {
    if (marked.isEmpty()) {
      committer.commit(request(merged(rows)));
      return;
    }
    TouchedFiles files = TouchedFiles.of(target, statement.scanned().get(), marked);
    for (int redo = 0; !isCommitted(rows, files, redo); redo++) {
      // Every try begins from the snapshot that is newest then.
    }
  }

  private boolean isCommitted(List<BucketChange> rows, TouchedFiles files, int redo) {
    Snapshot newest = target.storage().snapshots().latest().orElse(null);
    RowRemoval removal = new RowRemoval(target, spark, description());
    List<BucketChange> removed = List.of();
    boolean isDone = false;
    try {
      removed = removal.changes(files.in(newest));
      committer.commit(request(merged(Stream.concat(removed.stream(), rows.stream()).toList())));
      isDone = true;
      return true;
    } catch (CommitConflictException e) {
      boolean mayTryAgain =
          e.condition() == Condition.KEYLAKE_CONCURRENT_MODIFICATION
              && !removed.isEmpty()
              && redo < REDOS;
      if (!mayTryAgain) {
        throw e;
      }
      return false;
    } finally {
      if (!isDone) {
        List<BucketChange> made = removed;
        undisturbed(
            () -> {
              if (made.isEmpty()) {
                removal.discard();
              } else {
                committer.abort(request(made));
              }
            });
      }
    }
  }

  /** Deletes the files of new rows, unless they are, or may be, part of the table. */
  void abort(List<BucketChange> rows) {
    undisturbed(() -> committer.abort(request(rows)));
  }

  /** Storage must be reachable for deleting even in a thread that was told to stop. */
  private static void undisturbed(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private CommitRequest request(List<BucketChange> changes) {
    return CommitRequest.batch(user, changes).basedOn(statement.read().snapshot());
  }

  private String description() {
    return statement.command() + " on " + target.name().text();
  }

  /** One change per bucket. */
  private static List<BucketChange> merged(List<BucketChange> changes) {
    Map<Bucket, BucketChange> merged = new LinkedHashMap<>();
    for (BucketChange change : changes) {
      merged.merge(
          new Bucket(change.partition(), change.bucket()),
          change,
          (one, other) ->
              new BucketChange(
                  one.partition(),
                  one.bucket(),
                  one.totalBuckets(),
                  one.written().and(other.written()),
                  FileChanges.NONE));
    }
    return new ArrayList<>(merged.values());
  }
}
