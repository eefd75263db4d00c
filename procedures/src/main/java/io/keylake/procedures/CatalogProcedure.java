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

import io.keylake.procedures.call.Arguments;
import io.keylake.procedures.call.TableProcedure;
import io.keylake.spark.convert.SparkErrors;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.SimpleProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/** A {@link TableProcedure} on the tables of one catalog, as Spark calls it. */
record CatalogProcedure(TableProcedure procedure, TableCatalog catalog) implements SimpleProcedure {
  @Override
  public String name() {
    return procedure.name();
  }

  @Override
  public String description() {
    return procedure.description();
  }

  @Override
  public ProcedureParameter[] parameters() {
    return procedure.parameters().toArray(ProcedureParameter[]::new);
  }

  @Override
  public BoundProcedure bind(StructType given) {
    return new CatalogProcedure(procedure.boundTo(given), catalog);
  }

  /** Two calls may differ: a procedure changes what it works on. */
  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public Iterator<Scan> call(InternalRow values) {
    Arguments arguments = new Arguments(procedure, values, catalog);
    List<InternalRow> rows = SparkErrors.translating(() -> procedure.run(arguments));
    Scan result = new Result(procedure.result(), rows);
    return List.of(result).iterator();
  }

  /** Rows that are there already. */
  private record Result(StructType readSchema, List<InternalRow> list) implements LocalScan {
    @Override
    public InternalRow[] rows() {
      return list.toArray(InternalRow[]::new);
    }
  }
}
