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

package io.keylake.procedures.report;

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.Parameters;
import io.keylake.procedures.call.ResultRow;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.procedures.report.ReportPage.Form;
import io.keylake.spark.TableVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code CALL sys.report(table => 't' [, path => '...'] [, form => 'page'])}: the newest version of
 * a table as HTML, written to a file, or as the result.
 *
 * @param clock tells the time
 */
record ReportProcedure(Clock clock) implements TableProcedure {
  private static final String PATH = "path";
  private static final String FORM = "form";

  @Override
  public String name() {
    return "report";
  }

  @Override
  public String description() {
    return "Draws a table as a page of HTML: columns, snapshots, levels of buckets, sizes, and what"
        + " a compaction would do.";
  }

  @Override
  public String example() {
    return "CALL lake.sys.report(table => 'db.t', path => '/tmp/t.html')";
  }

  @Override
  public List<ProcedureParameter> parameters() {
    return List.of(
        Parameters.table(),
        Parameters.optional(
            PATH,
            DataTypes.StringType,
            "the file to be written, *.html; the result has the page unless given"),
        Parameters.optional(
            FORM,
            DataTypes.StringType,
            "page: all, the default; cell: a short one, to be put into another page"));
  }

  @Override
  public StructType result() {
    return new StructType()
        .add("path", DataTypes.StringType, true)
        .add("bytes", DataTypes.LongType, false)
        .add("snapshot_id", DataTypes.LongType, true)
        .add("html", DataTypes.StringType, true);
  }

  @Override
  public List<InternalRow> run(Arguments arguments) {
    TableVersion version = arguments.table(Parameters.TABLE).pinned();
    Optional<String> path = arguments.optionalText(PATH);
    Form form = form(arguments);
    Optional<ReportFile> file =
        path.map(text -> ReportFile.at(version.storage().io(), text, arguments));
    TableFacts facts = new Survey(version, clock).facts();
    ZoneId zone = ZoneId.of(SQLConf.get().sessionLocalTimeZone(), ZoneId.SHORT_IDS);
    String html = new ReportPage(facts, zone).text(form);
    byte[] content = html.getBytes(StandardCharsets.UTF_8);
    file.ifPresent(target -> target.write(content));
    return List.of(
        ResultRow.of(
            file.map(ReportFile::path).orElse(null),
            (long) content.length,
            facts.snapshot() == null ? null : facts.snapshot().id(),
            file.isPresent() ? null : html));
  }

  private static Form form(Arguments arguments) {
    String text = arguments.optionalText(FORM).orElse("page").strip().toLowerCase(Locale.ROOT);
    return switch (text) {
      case "page" -> Form.PAGE;
      case "cell" -> Form.CELL;
      default -> throw arguments.invalid("form '" + text + "' is unknown. Use 'page' or 'cell'.");
    };
  }
}
