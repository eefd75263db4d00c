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

package io.keylake.procedures;

import io.keylake.format.errors.Condition;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.procedures.cleanup.CleanupProcedures;
import io.keylake.procedures.compaction.CompactionProcedures;
import io.keylake.procedures.history.HistoryProcedures;
import io.keylake.procedures.reference.ReferenceProcedures;
import io.keylake.procedures.report.ReportProcedures;
import io.keylake.procedures.transfer.TransferProcedures;
import io.keylake.spark.convert.SparkErrors;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** All procedures, by the name they are called by. */
public final class Procedures {
  private static final Clock CLOCK = Clock.systemDefaultZone();
  private static final List<TableProcedure> ALL =
      Stream.of(
              CompactionProcedures.all(CLOCK),
              ReferenceProcedures.all(CLOCK),
              CleanupProcedures.all(CLOCK),
              TransferProcedures.all(CLOCK),
              ReportProcedures.all(CLOCK),
              HistoryProcedures.all(),
              List.<TableProcedure>of(new HelpProcedure(Procedures::all)))
          .flatMap(List::stream)
          .toList();

  private Procedures() {}

  private static List<TableProcedure> all() {
    return ALL;
  }

  /** The names of all procedures. */
  public static List<String> names() {
    return ALL.stream().map(TableProcedure::name).sorted().toList();
  }

  /**
   * The procedure {@code name}, in any letter case, on the tables of {@code catalog}.
   *
   * @throws io.keylake.spark.convert.KeylakeException when there is none
   */
  public static UnboundProcedure load(TableCatalog catalog, String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(procedure -> procedure.name().equals(wanted))
        .findFirst()
        .map(procedure -> new CatalogProcedure(procedure, catalog))
        .orElseThrow(
            () ->
                SparkErrors.failure(
                    Condition.KEYLAKE_INVALID_REQUEST,
                    "There is no procedure " + name + ". The procedures are: " + names() + "."));
  }
}
