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

package io.keylake.procedures.call;

import io.keylake.format.schema.TableSchema;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.maintenance.PartitionChoice;
import io.keylake.table.LakeTable;
import java.util.Optional;
import org.apache.spark.sql.classic.SparkSession;

/** The partitions that the arguments {@code partitions} and {@code where} choose together. */
public final class ChosenPartitions {
  private ChosenPartitions() {}

  /**
   * What a call chose; all partitions where it gives neither argument. The procedure has both
   * parameters.
   *
   * @throws io.keylake.format.errors.InvalidRequestException when it gives both, or one that makes
   *     no sense for the table
   */
  public static PartitionChoice of(Arguments arguments, TableName name, LakeTable table) {
    Optional<String> specs = arguments.optionalText(Parameters.PARTITIONS);
    Optional<String> where = arguments.optionalText(Parameters.WHERE);
    if (specs.isPresent() && where.isPresent()) {
      throw arguments.invalid("partitions and where both choose partitions. Use one of them.");
    }
    TableSchema schema = table.schema();
    if (specs.isPresent()) {
      return PartitionSpecs.parse(
          name.text(),
          schema.partitionType(),
          table.options().fileLayout().defaultPartitionName(),
          specs.get());
    }
    return where.isPresent()
        ? PartitionCondition.parse(session(), name, schema, where.get())
        : PartitionChoice.ALL;
  }

  private static SparkSession session() {
    return (SparkSession) org.apache.spark.sql.SparkSession.active();
  }
}
