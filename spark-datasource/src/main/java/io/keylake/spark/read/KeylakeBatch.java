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

package io.keylake.spark.read;

import io.keylake.spark.read.layout.KeyedTasks;
import io.keylake.spark.read.layout.ReportedLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.internal.SQLConf;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a scan. Equal when the same version is read for the same columns and conditions, so
 * that Spark runs equal scans of a query once.
 */
final class KeylakeBatch implements Batch {
  private final ReadTarget target;
  private final ScanRequest request;
  private final @Nullable ReportedLayout layout;
  private final Supplier<PlannedRead> plan;

  KeylakeBatch(
      ReadTarget target,
      ScanRequest request,
      @Nullable ReportedLayout layout,
      Supplier<PlannedRead> plan) {
    this.target = target;
    this.request = request;
    this.layout = layout;
    this.plan = plan;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    KeyedTasks work = plan.get().work();
    boolean isKeyed = !work.keys().isEmpty() && layout != null && layout.isSafe(SQLConf.get());
    InputPartition[] partitions = new InputPartition[work.tasks().size()];
    for (int i = 0; i < partitions.length; i++) {
      SplitPartition task = new SplitPartition(work.tasks().get(i));
      partitions[i] = isKeyed ? new KeyedPartition(task, work.keys().get(i)) : task;
    }
    return partitions;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return plan.get().readerFactory();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeylakeBatch that && identity().equals(that.identity());
  }

  @Override
  public int hashCode() {
    return identity().hashCode();
  }

  private List<@Nullable Object> identity() {
    return Arrays.asList(target.identity(), request, layout);
  }
}
