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

package io.keylake.spark.rowlevel.replace;

import io.keylake.spark.write.BucketWriteMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The new rows of an overwrite, which the commit of a removal takes along. For one execution and
 * one thread, on the driver.
 */
final class JoinedRows {
  private List<WriterCommitMessage> added = List.of();
  private boolean isTaken;
  private Supplier<CustomTaskMetric[]> metrics = () -> new CustomTaskMetric[0];

  /** Sets what tasks wrote. */
  void set(List<WriterCommitMessage> messages) {
    added = List.copyOf(messages);
  }

  /** What the removal's tasks did and the new rows, from now on the removal's to commit or drop. */
  WriterCommitMessage[] take(WriterCommitMessage[] removed) {
    isTaken = true;
    return with(removed);
  }

  /** What the removal's tasks did, and the new rows if they were taken. */
  WriterCommitMessage[] owned(WriterCommitMessage[] removed) {
    return isTaken ? with(removed) : removed;
  }

  private WriterCommitMessage[] with(WriterCommitMessage[] removed) {
    List<WriterCommitMessage> all = new ArrayList<>(Arrays.asList(removed));
    all.addAll(added);
    return all.toArray(new WriterCommitMessage[0]);
  }

  boolean isTaken() {
    return isTaken;
  }

  /** Rows in the new files. */
  long rows() {
    return added.stream()
        .mapToLong(message -> message instanceof BucketWriteMessage written ? written.rows() : 0)
        .sum();
  }

  /** Sets where the numbers of the commit come from. */
  void reportBy(Supplier<CustomTaskMetric[]> commit) {
    metrics = commit;
  }

  CustomTaskMetric[] metrics() {
    return metrics.get();
  }
}
