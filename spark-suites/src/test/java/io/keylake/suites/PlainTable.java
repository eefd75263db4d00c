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

package io.keylake.suites;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.constraints.PrimaryKey;
import org.jspecify.annotations.Nullable;

/**
 * A table without what Spark's suites do not expect where they compare whole columns and
 * properties: columns without ids and without the NOT NULL of a primary key, properties without the
 * table's place, and the provider that USING named.
 */
public final class PlainTable {
  /** The option of tables under which {@link SuiteCatalog} keeps the provider. */
  static final String PROVIDER = "suites.provider";

  private PlainTable() {}

  /** What is shown plainly. */
  public enum Part {
    COLUMNS,
    PROPERTIES
  }

  /** {@code table}, with these parts shown plainly. */
  static Table of(Table table, Set<Part> parts) {
    if (parts.isEmpty()) {
      return table;
    }
    Set<Class<?>> interfaces = new LinkedHashSet<>();
    for (Class<?> type = table.getClass(); type != null; type = type.getSuperclass()) {
      interfaces.addAll(Arrays.asList(type.getInterfaces()));
    }
    return (Table)
        Proxy.newProxyInstance(
            PlainTable.class.getClassLoader(),
            interfaces.toArray(Class<?>[]::new),
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "columns" -> parts.contains(Part.COLUMNS) ? columns(table) : table.columns();
                  case "properties" ->
                      parts.contains(Part.PROPERTIES)
                          ? properties(table.properties())
                          : table.properties();
                  default -> called(method, table, arguments);
                });
  }

  private static @Nullable Object called(Method method, Table table, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(table, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Column[] columns(Table table) {
    Set<String> key =
        Arrays.stream(table.constraints())
            .filter(PrimaryKey.class::isInstance)
            .flatMap(constraint -> Arrays.stream(((PrimaryKey) constraint).columns()))
            .map(column -> column.fieldNames()[0])
            .collect(Collectors.toSet());
    return Arrays.stream(table.columns())
        .map(
            column ->
                Column.builderFrom(column)
                    .nullable(column.nullable() || key.contains(column.name()))
                    .clearIds()
                    .build())
        .toArray(Column[]::new);
  }

  private static Map<String, String> properties(Map<String, String> properties) {
    Map<String, String> plain = new HashMap<>(properties);
    plain.remove(TableCatalog.PROP_LOCATION);
    plain.remove(TableCatalog.PROP_IS_MANAGED_LOCATION);
    String provider = plain.remove(PROVIDER);
    if (provider != null) {
      plain.put(TableCatalog.PROP_PROVIDER, provider);
    }
    return plain;
  }
}
