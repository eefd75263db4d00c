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

package io.keylake.spark.convert;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.TableException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Identifier;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The one place that turns failures of the metadata plane into failures that Spark's users see, and
 * that makes Spark's own exceptions of the catalog.
 */
public final class SparkErrors {
  private SparkErrors() {}

  /** {@code failure} as Spark reports it; it stays the cause. */
  public static KeylakeException toSpark(TableException failure) {
    return new KeylakeException(failure.condition(), failure.getMessage(), failure);
  }

  /** A failure found on Spark's side; {@code message} says what, where, and what to do. */
  public static KeylakeException failure(Condition condition, String message) {
    return new KeylakeException(condition, message, null);
  }

  /** The result of {@code work}, whose {@link TableException} is thrown as Spark reports it. */
  public static <T> T translating(Supplier<T> work) {
    try {
      return work.get();
    } catch (TableException e) {
      throw toSpark(e);
    }
  }

  /** Runs {@code work}, whose {@link TableException} is thrown as Spark reports it. */
  public static void translate(Runnable work) {
    try {
      work.run();
    } catch (TableException e) {
      throw toSpark(e);
    }
  }

  /** What Spark expects of a catalog when a table does not exist. */
  public static NoSuchTableException noSuchTable(Identifier table) {
    return new NoSuchTableException(table);
  }

  /** What Spark expects of a catalog when a table exists already. */
  public static TableAlreadyExistsException tableAlreadyExists(Identifier table) {
    return new TableAlreadyExistsException(table);
  }

  /** What Spark expects of the catalog {@code catalog} when a namespace does not exist. */
  public static NoSuchNamespaceException noSuchNamespace(String catalog, String[] namespace) {
    return new NoSuchNamespaceException(
        Stream.concat(Stream.of(catalog), Arrays.stream(namespace)).toArray(String[]::new));
  }

  /**
   * Throws what Spark expects of a catalog when a table has no constraint of that name. It is a
   * checked exception that the catalog's methods do not declare: Scala knows no such thing.
   */
  public static RuntimeException noSuchConstraint(String table, String constraint) {
    Map<String, String> parameters = Map.of("constraintName", constraint, "tableName", table);
    return SparkErrors.<RuntimeException>undeclared(
        new AnalysisException(
            "CONSTRAINT_DOES_NOT_EXIST",
            scala.collection.immutable.Map.from(CollectionConverters.asScala(parameters))));
  }

  @SuppressWarnings("unchecked") // the type is a lie that the compiler does not check
  private static <E extends Exception> RuntimeException undeclared(Exception failure) throws E {
    throw (E) failure;
  }

  /** What Spark expects of a catalog when a namespace exists already. */
  public static NamespaceAlreadyExistsException namespaceAlreadyExists(String[] namespace) {
    return new NamespaceAlreadyExistsException(namespace);
  }

  /** What Spark expects of a catalog when a namespace to be dropped holds tables. */
  public static NonEmptyNamespaceException nonEmptyNamespace(String[] namespace) {
    return new NonEmptyNamespaceException(namespace);
  }
}
