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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.table.maintenance.Branches;
import io.keylake.table.reference.Rollback;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code CALL sys.create_branch}: makes a branch, empty or from a tag. */
record CreateBranchProcedure() implements TableProcedure {
  private static final String VERSION = "version";

  @Override
  public String name() {
    return "create_branch";
  }

  @Override
  public String description() {
    return "Makes a branch: without rows, or starting with the version of a tag.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.create_branch(table => 'db.t', branch => 'b', tag => 'release')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        BranchChoice.branch("the new branch"),
        Parameters.optional(
            TagChoice.TAG, DataTypes.StringType, "the tag it starts with; no rows unless given"),
        Parameters.optional(
            VERSION,
            DataTypes.StringType,
            "a tag, or the id of a snapshot that a tag keeps, instead of a tag"),
        Parameters.ifNotExists());
  }

  @Override
  public StructType result() {
    return BranchChoice.result();
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableStorage main = BranchChoice.main(arguments);
    String branch = arguments.text(BranchChoice.BRANCH);
    boolean passesOver = arguments.optionalBoolean(Parameters.IF_NOT_EXISTS).orElse(false);
    if (passesOver && BranchChoice.exists(main, branch)) {
      return List.of(BranchChoice.row(main, branch));
    }
    Branches branches = new Branches(main);
    Optional<String> tag = tag(arguments, main);
    if (tag.isPresent()) {
      branches.createFromTag(branch, tag.get());
    } else {
      branches.create(branch);
    }
    return List.of(BranchChoice.row(main, branch));
  }

  private static Optional<String> tag(Arguments arguments, TableStorage main) {
    Optional<String> tag = arguments.optionalText(TagChoice.TAG);
    Optional<String> version = arguments.optionalText(VERSION);
    if (tag.isPresent() && version.isPresent()) {
      throw arguments.invalid("tag and version both say where it starts. Use one of them.");
    }
    return version.isPresent() ? Optional.of(tagOf(arguments, main, version.get().strip())) : tag;
  }

  /** The rows of a branch stay as long as a tag of the branch names them. */
  private static String tagOf(Arguments arguments, TableStorage main, String version) {
    if (main.tags().find(version).isPresent()) {
      return version;
    }
    Snapshot snapshot = Rollback.version(main, version);
    return main.tags().all().stream()
        .filter(tag -> tag.snapshot().equals(snapshot))
        .map(Tag::name)
        .findFirst()
        .orElseThrow(
            () ->
                arguments.invalid(
                    "no tag keeps snapshot "
                        + snapshot.id()
                        + ", and a branch starts with a tag. Make a tag of it first, by CREATE TAG"
                        + " or create_tag."));
  }
}
