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

package io.keylake.procedures.reference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.snapshot.ConsumerStore;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.reset_consumer}: sets or forgets how far a consumer has read. */
record ResetConsumerProcedure() implements TableProcedure {
  private static final String CONSUMER = "consumer_id";
  private static final String NEXT = "next_snapshot_id";

  @Override
  public String name() {
    return "reset_consumer";
  }

  @Override
  public String description() {
    return "Sets the snapshot that a consumer reads next; forgets the consumer when none is given.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.reset_consumer(table => 'db.t', consumer_id => 'job',"
        + " next_snapshot_id => 3)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.required(CONSUMER, DataTypes.StringType, "the consumer"),
        Parameters.optional(
            NEXT, DataTypes.LongType, "the snapshot it reads next; NULL: forget the consumer"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("consumer_id", DataTypes.StringType, false)
        .add("previous_next_snapshot_id", DataTypes.LongType, true)
        .add("next_snapshot_id", DataTypes.LongType, true);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    var storage = arguments.table(Parameters.TABLE).pinned().storage();
    ConsumerStore consumers = storage.consumers();
    String consumer = arguments.text(CONSUMER);
    Optional<Long> next = arguments.optionalLong(NEXT);
    OptionalLong before = consumers.nextSnapshot(consumer);
    if (next.isPresent()) {
      if (next.get() < 1) {
        throw arguments.invalid("next_snapshot_id is " + next.get() + ". Snapshots begin with 1.");
      }
      consumers.write(consumer, next.get());
    } else if (before.isEmpty()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Table "
              + storage.name()
              + " has no consumer '"
              + consumer
              + "'. Its consumers: "
              + consumers.all().keySet()
              + ".");
    } else {
      consumers.delete(consumer);
    }
    return List.of(
        ResultRow.of(
            consumer, before.isPresent() ? (Long) before.getAsLong() : null, next.orElse(null)));
  }
}
