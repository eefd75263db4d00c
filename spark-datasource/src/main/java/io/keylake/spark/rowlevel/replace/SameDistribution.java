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

import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;

/**
 * A write that wants its rows as another write does. A class that two writes extend, since Spark
 * asks the write itself.
 */
abstract class SameDistribution implements RequiresDistributionAndOrdering {
  private final RequiresDistributionAndOrdering other;

  SameDistribution(RequiresDistributionAndOrdering other) {
    this.other = other;
  }

  @Override
  public String description() {
    return other.description();
  }

  @Override
  public Distribution requiredDistribution() {
    return other.requiredDistribution();
  }

  @Override
  public boolean distributionStrictlyRequired() {
    return other.distributionStrictlyRequired();
  }

  @Override
  public int requiredNumPartitions() {
    return other.requiredNumPartitions();
  }

  @Override
  public long advisoryPartitionSizeInBytes() {
    return other.advisoryPartitionSizeInBytes();
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return other.requiredOrdering();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return other.supportedCustomMetrics();
  }

  @Override
  public String toString() {
    return description();
  }
}
