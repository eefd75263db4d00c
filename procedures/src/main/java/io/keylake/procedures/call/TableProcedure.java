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

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.StructType;

/**
 * One procedure. Stateless; {@link CatalogProcedure} shows it to Spark. A failure that a user can
 * act on is a {@link io.keylake.format.errors.TableException}.
 */
public interface TableProcedure {
  /** The name it is called by. */
  String name();

  /** What it does, in one sentence. */
  String description();

  /** A call that makes sense on a table {@code db.t}, in the catalog {@code lake}. */
  String example();

  /** Its parameters, the required ones first. */
  List<ProcedureParameter> parameters();

  /** The same procedure for a call with arguments of these types, where that makes a difference. */
  default TableProcedure boundTo(StructType given) {
    return this;
  }

  /** The columns of its result. */
  StructType result();

  /** Does the work and gives the rows of the result. */
  List<InternalRow> run(Arguments arguments);
}
