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

import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Parameters that many procedures have, and the two ways to declare one. */
public final class Parameters {
  /** The parameter that names the table. */
  public static final String TABLE = "table";

  /** The parameter that names partitions by their values. */
  public static final String PARTITIONS = "partitions";

  /** The parameter that chooses partitions, or rows, by a condition. */
  public static final String WHERE = "where";

  /** The parameter that asks what a call would do. */
  public static final String DRY_RUN = "dry_run";

  /** The parameter that makes a call do nothing when there is such a thing already. */
  public static final String IF_NOT_EXISTS = "if_not_exists";

  /** The parameter that makes a call do nothing where there is no such thing. */
  public static final String IF_EXISTS = "if_exists";

  private Parameters() {}

  /** Whether there may be such a thing already. */
  public static ProcedureParameter ifNotExists() {
    return optional(
        IF_NOT_EXISTS, DataTypes.BooleanType, "true: change nothing if there is one already");
  }

  /** Whether there need not be such a thing. */
  public static ProcedureParameter ifExists() {
    return optional(IF_EXISTS, DataTypes.BooleanType, "true: pass over those that do not exist");
  }

  /** The table a procedure works on. */
  public static ProcedureParameter table() {
    return required(TABLE, DataTypes.StringType, "the table");
  }

  /** Partitions by their values, see {@link ChosenPartitions}. */
  public static ProcedureParameter partitions() {
    return optional(
        PARTITIONS,
        DataTypes.StringType,
        "which partitions, such as dt=2024-01-01,hh=1;dt=2024-01-02");
  }

  /** Partitions by a condition, see {@link ChosenPartitions}. */
  public static ProcedureParameter where() {
    return optional(
        WHERE, DataTypes.StringType, "which partitions, as a condition on partition columns");
  }

  /** Whether only to say what would be done. */
  public static ProcedureParameter dryRun() {
    return optional(
        DRY_RUN, DataTypes.BooleanType, "true: change nothing, only say what would be done");
  }

  /** A parameter that every call gives. */
  public static ProcedureParameter required(String name, DataType type, String comment) {
    return ProcedureParameter.in(name, type).comment(comment).build();
  }

  /** A parameter that is NULL where a call leaves it out. */
  public static ProcedureParameter optional(String name, DataType type, String comment) {
    return ProcedureParameter.in(name, type).comment(comment).defaultValue("NULL").build();
  }
}
