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

package io.keylake.spark.conf;

import java.util.List;

/**
 * The name of a table as settings use it.
 *
 * @param catalog the catalog's name; empty for a table reached by its path
 * @param namespace the parts of the namespace
 * @param table the table's own name
 */
public record TableName(String catalog, List<String> namespace, String table) {
  /** Copies the list. */
  public TableName {
    namespace = List.copyOf(namespace);
  }

  /** The name of a table reached by its path only. */
  public static TableName ofPath(String path) {
    return new TableName("", List.of(), path);
  }

  /** The name with dots between its parts. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (!catalog.isEmpty()) {
      text.append(catalog).append('.');
    }
    namespace.forEach(part -> text.append(part).append('.'));
    return text.append(table).toString();
  }
}
