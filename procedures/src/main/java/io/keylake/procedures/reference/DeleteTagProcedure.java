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

import io.keylake.format.snapshot.TableStorage;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.maintenance.Tags;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code CALL sys.delete_tag(table => 't', tag => 'name')}. */
record DeleteTagProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "delete_tag";
  }

  @Override
  public String description() {
    return "Deletes a tag. Rows that only the tag kept are no longer readable.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.delete_tag(table => 'db.t', tag => 'release')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        ProcedureParameter.in("table", DataTypes.StringType).comment("the table").build(),
        ProcedureParameter.in("tag", DataTypes.StringType).comment("its name").build());
  }

  @Override
  public StructType result() {
    return new StructType().add("tag_name", DataTypes.StringType, false);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table("table").pinned().storage();
    String tag = arguments.text("tag");
    new Tags(storage, clock).delete(tag);
    return List.of(new GenericInternalRow(new Object[] {UTF8String.fromString(tag)}));
  }
}
