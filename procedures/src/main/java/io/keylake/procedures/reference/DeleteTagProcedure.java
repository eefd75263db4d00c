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
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.maintenance.Tags;
import java.time.Clock;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.delete_tag}: removes tags.
 *
 * @param clock tells the time and the zone
 */
record DeleteTagProcedure(Clock clock) implements TableProcedure {
  @Override
  public String name() {
    return "delete_tag";
  }

  @Override
  public String description() {
    return "Deletes tags. Rows that only they kept are no longer readable; their files go with the"
        + " removal of orphan files.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.delete_tag(table => 'db.t', tag => 'release,v1', dry_run => true)";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        TagChoice.tag("the tag, or several separated by commas"),
        Parameters.dryRun(),
        Parameters.ifExists());
  }

  @Override
  public StructType result() {
    return TagChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage storage = arguments.table(Parameters.TABLE).pinned().storage();
    boolean passesOver = arguments.optionalBoolean(Parameters.IF_EXISTS).orElse(false);
    List<Tag> tags =
        TagChoice.names(arguments, TagChoice.TAG).stream()
            .filter(name -> !passesOver || storage.tags().find(name).isPresent())
            .map(storage.tags()::load)
            .toList();
    if (!arguments.optionalBoolean(Parameters.DRY_RUN).orElse(false)) {
      Tags all = new Tags(storage, clock);
      tags.forEach(tag -> all.delete(tag.name()));
    }
    return tags.stream().map(TagChoice::row).toList();
  }
}
