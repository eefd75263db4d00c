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

package io.keylake.spark.rowlevel.rewrite;

import io.keylake.format.fileio.Ids;
import io.keylake.spark.write.WriteTarget;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.TableCommitter;
import java.time.Clock;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Commits what a statement wrote when some of it are overrides. Lives on the driver, for one
 * statement and one thread.
 */
public final class RowRewrite {
  /** Property of the snapshot: rows of rewritten files that are as they were. */
  public static final String ROWS_COPIED = "keylake.rows-copied";

  /** Property of the snapshot: data files that the statement added. */
  public static final String FILES_ADDED = "keylake.files-added";

  /** Property of the snapshot: data files that the statement took from the table. */
  public static final String FILES_REMOVED = "keylake.files-removed";

  private final SparkContext spark;
  private final WriteTarget target;
  private final TableCommitter committer;
  private final Ids ids;
  private final Clock clock;

  /** A rewrite of rows of {@code target} by this thread's session. */
  public RowRewrite(WriteTarget target, TableCommitter committer) {
    this(
        SparkSession.active().sparkContext(),
        target,
        committer,
        Ids.random(),
        Clock.systemDefaultZone());
  }

  /**
   * A rewrite of rows of {@code target}.
   *
   * @param ids name new files
   * @param clock tells when they were made
   */
  public RowRewrite(
      SparkContext spark, WriteTarget target, TableCommitter committer, Ids ids, Clock clock) {
    this.spark = spark;
    this.target = target;
    this.committer = committer;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * Rewrites the files that hold keys of the overrides and commits everything as one snapshot.
   * Where a compaction has replaced these files meanwhile, that is done again on the newest
   * snapshot. {@link CommitRequest.Check#KEYS_UNCHANGED} is always among the checks; it looks at
   * the keys of overrides and records, not at rewritten files. The properties {@link #ROWS_COPIED},
   * {@link #FILES_ADDED} and {@link #FILES_REMOVED} are added to those of the request.
   *
   * @param request the records that the statement wrote, one change per bucket; its base is the
   *     snapshot that the statement has read
   * @param overrides files of rows that stand for their keys, as {@code written.added} of one
   *     change per bucket, with counts of deletes; never committed themselves, they are deleted in
   *     any case. Other parts of these changes, such as hash indexes, are committed
   * @throws io.keylake.format.errors.CommitConflictException when another commit changed rows of
   *     the keys, or its outcome is unknown. All files of the request are deleted then, but for an
   *     unknown outcome
   */
  public RewriteResult commit(CommitRequest request, List<BucketChange> overrides) {
    throw new UnsupportedOperationException(
        committer
            + " "
            + target.name().text()
            + " "
            + request
            + " "
            + overrides
            + spark
            + ids
            + clock);
  }
}
