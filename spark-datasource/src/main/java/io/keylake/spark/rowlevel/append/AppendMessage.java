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
import io.keylake.table.commit.BucketChange;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task did: the message it sends to the driver.
 *
 * @param rows files of new rows, one change per bucket
 * @param marked positions of rows that go, by address of their file
 * @param counts numbers of rows
 */
record AppendMessage(List<BucketChange> rows, Map<String, DeletionVector> marked, RowCounts counts)
    implements WriterCommitMessage {
  private static final long serialVersionUID = 1L;

  AppendMessage {
    rows = List.copyOf(rows);
    marked = Map.copyOf(marked);
  }
}
