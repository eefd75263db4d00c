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

import io.keylake.spark.write.WriteTarget;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.TableCommitter;
import java.util.List;

/** Commits what a statement wrote when some of it are overrides. */
public final class RowRewrite {
  private final WriteTarget target;
  private final TableCommitter committer;

  /** A rewrite of rows of {@code target}. */
  public RowRewrite(WriteTarget target, TableCommitter committer) {
    this.target = target;
    this.committer = committer;
  }

  /**
   * Rewrites the files that hold keys of the overrides and commits everything as one snapshot.
   *
   * @param request the records that the statement wrote; its base is the snapshot that the
   *     statement has read
   * @param overrides files of rows that stand for their keys; they are deleted in the end
   */
  public void commit(CommitRequest request, List<BucketChange> overrides) {
    throw new UnsupportedOperationException(
        committer + " " + target.name().text() + " " + request + " " + overrides);
  }
}
