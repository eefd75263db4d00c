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

package io.keylake.spark.schema;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.schema.TableSchema;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.table.evolution.SchemaChange;
import io.keylake.table.evolution.SchemaEvolution;
import io.keylake.table.evolution.SchemaEvolution.History;
import io.keylake.table.evolution.TypeCasts;
import io.keylake.table.evolution.TypeCasts.Castability;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which columns a write with schema evolution changes; others keep their type, and what is written
 * to them is cast as any write casts.
 *
 * <ol>
 *   <li>New columns and nested fields are always added, nullable and last; what cannot be stored
 *       then fails as ALTER TABLE would.
 *   <li>A type changes when the table's rules allow ALTER COLUMN TYPE (never for key and partition
 *       columns) and the new type is wider: implicitly castable, and no value is changed by it.
 *       Example: INT to BIGINT is, INT to STRING is not, DECIMAL(10,2) to DECIMAL(12,2) is.
 *   <li>With {@link Casts#EXPLICIT} it changes to any type that ALTER COLUMN TYPE allows.
 *   <li>CHAR and VARCHAR keep their length, which rows are checked against.
 * </ol>
 *
 * Rule source: table format, {@code write.merge-schema}. Pinned by {@code
 * SchemaEvolutionSparkTest}.
 */
public final class ColumnEvolution {
  /** Which changes of a type are allowed. */
  public enum Casts {
    /** To wider types. */
    WIDENING,
    /** To all that values can be cast to. */
    EXPLICIT
  }

  private final String table;
  private final TableSchema schema;
  private final History history;
  private final Casts casts;

  /** The evolution of a table with these columns. */
  public ColumnEvolution(String table, TableSchema schema, History history, Casts casts) {
    this.table = table;
    this.schema = schema;
    this.history = history;
    this.casts = casts;
  }

  /**
   * Whether a write makes the change.
   *
   * @throws UnsupportedTableException KEYLAKE_UNSUPPORTED_OPERATION when the table has CHAR or
   *     VARCHAR columns: Spark 4.2 finds no end resolving a statement that changes such a table
   */
  public boolean allows(TableChange.ColumnChange change) {
    boolean isAllowed = change instanceof TableChange.AddColumn || isTypeAllowed(change);
    if (isAllowed && hasLimitedTexts()) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Columns of table "
              + table
              + " cannot change with the statement that writes them ("
              + String.join(".", change.fieldNames())
              + "), because it has CHAR or VARCHAR columns, which Spark cannot resolve then. Change"
              + " the columns with ALTER TABLE first.");
    }
    return isAllowed;
  }

  private boolean hasLimitedTexts() {
    return Arrays.stream(SparkTypes.toColumns(schema.fields()))
        .anyMatch(column -> CharVarcharUtils.hasCharVarchar(column.dataType()));
  }

  private boolean isTypeAllowed(TableChange.ColumnChange change) {
    return change instanceof TableChange.UpdateColumnType type
        && declaredType(type).filter(from -> isWanted(from, type)).isPresent()
        && isAllowed(type);
  }

  private Optional<DataType> declaredType(TableChange.UpdateColumnType change) {
    Seq<String> path = CollectionConverters.asScala(List.of(change.fieldNames())).toSeq();
    Option<Tuple2<Seq<String>, StructField>> field =
        SparkTypes.toSpark(schema.rowType())
            .findNestedField(path, true, SQLConf.get().resolver(), CurrentOrigin.get());
    return field.isEmpty() ? Optional.empty() : Optional.of(field.get()._2().dataType());
  }

  private boolean isWanted(DataType from, TableChange.UpdateColumnType change) {
    String name = String.join(".", change.fieldNames());
    DataType to = change.newDataType();
    if (from instanceof StringType && to instanceof StringType) {
      return false;
    }
    return casts == Casts.EXPLICIT
        || Cast.canUpCast(from, to)
            && TypeCasts.of(SparkTypes.toFormat(name, from), SparkTypes.toFormat(name, to))
                == Castability.IMPLICIT;
  }

  private boolean isAllowed(TableChange.UpdateColumnType change) {
    try {
      List<String> path = List.of(change.fieldNames());
      SchemaChange.UpdateType update =
          new SchemaChange.UpdateType(
              path, SparkTypes.toFormat(String.join(".", path), change.newDataType()));
      new SchemaEvolution(table, Clock.systemUTC()).apply(schema, List.of(update), history);
      return true;
    } catch (TableException refused) {
      return false;
    }
  }
}
