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

package io.keylake.extensions.parser;

import io.keylake.catalog.KeylakeCatalog;
import io.keylake.catalog.KeylakeSessionCatalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.internal.SessionState;
import org.apache.spark.sql.internal.StaticSQLConf;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a statement can learn about the session while it is parsed: which catalog a name means, and
 * the parser below. Nothing is asked of the session before a statement is parsed, because the
 * parser is made before the session's state is.
 */
public final class StatementScope {
  private final SparkSession session;
  private final @Nullable ParserInterface delegate;

  StatementScope(SparkSession session, @Nullable ParserInterface delegate) {
    this.session = session;
    this.delegate = delegate;
  }

  /** What a rule of {@code session} can learn. */
  public static StatementScope of(SparkSession session) {
    return new StatementScope(session, null);
  }

  /** The session whose statements are parsed. */
  public SparkSession session() {
    return session;
  }

  /**
   * Whether {@code name}, as a statement writes it, belongs to a Keylake catalog: the one it begins
   * with, else the current one. Temporary views belong to none. The table need not exist.
   */
  public boolean isLake(List<String> name) {
    if (isTemporaryView(name)) {
      return false;
    }
    CatalogPlugin catalog = catalog(name);
    return catalog instanceof KeylakeCatalog || catalog instanceof KeylakeSessionCatalog;
  }

  /** Whether {@code name} belongs to Spark's own catalog, in which we only have a part. */
  public boolean isSessionCatalog(List<String> name) {
    return catalog(name) instanceof KeylakeSessionCatalog;
  }

  /** The catalog that {@code name} belongs to. */
  public CatalogPlugin catalog(List<String> name) {
    CatalogManager catalogs = state().catalogManager();
    return hasCatalog(name) ? catalogs.catalog(name.get(0)) : catalogs.currentCatalog();
  }

  /** The name of the catalog that {@code name} belongs to. */
  public String catalogName(List<String> name) {
    return catalog(name).name();
  }

  /**
   * {@code name} inside its catalog, with its namespace: {@code [namespace..., table]}. A name
   * without a namespace is in the current one.
   */
  public List<String> withinCatalog(List<String> name) {
    if (hasCatalog(name)) {
      return List.copyOf(name.subList(1, name.size()));
    }
    if (name.size() > 1) {
      return List.copyOf(name);
    }
    List<String> full = new ArrayList<>(Arrays.asList(state().catalogManager().currentNamespace()));
    full.addAll(name);
    return List.copyOf(full);
  }

  /** The plan of a text that Spark, or an extension below ours, has the syntax for. */
  public LogicalPlan plan(String text) throws ParseException {
    return parser().parsePlan(text);
  }

  /** The parts of the name {@code text}, each as it is. */
  public Seq<String> multipartName(String text) throws ParseException {
    return parser().parseMultipartIdentifier(text);
  }

  private ParserInterface parser() {
    return delegate == null ? state().sqlParser() : delegate;
  }

  /**
   * The plan of {@code CALL catalog.sys.procedure(name => argument, ...)}; the arguments are SQL
   * expressions: see {@link #literal}.
   */
  public LogicalPlan call(String catalog, String procedure, Map<String, String> arguments)
      throws ParseException {
    return plan(
        "CALL %s.sys.%s(%s)"
            .formatted(
                quoted(List.of(catalog)),
                procedure,
                arguments.entrySet().stream()
                    .map(argument -> argument.getKey() + " => " + argument.getValue())
                    .collect(Collectors.joining(", "))));
  }

  /** {@code name} as SQL writes it, each part in backquotes. */
  public static String quoted(List<String> name) {
    return name.stream()
        .map(part -> "`" + part.replace("`", "``") + "`")
        .collect(Collectors.joining("."));
  }

  /** {@code text} as a string literal of SQL. */
  public static String literal(String text) {
    return TokenCursor.literal(text);
  }

  private boolean hasCatalog(List<String> name) {
    return name.size() > 1 && state().catalogManager().isCatalogRegistered(name.get(0));
  }

  private boolean isTemporaryView(List<String> name) {
    String global = session.conf().get(StaticSQLConf.GLOBAL_TEMP_DATABASE().key());
    return name.get(0).toLowerCase(Locale.ROOT).equals(global.toLowerCase(Locale.ROOT))
        || state().catalog().isTempView(CollectionConverters.asScala(name).toSeq());
  }

  private SessionState state() {
    return session.sessionState();
  }
}
