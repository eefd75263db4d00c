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

package io.keylake.spark;

import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A table by its path, with the options that choose a branch or a version of it.
 *
 * @param options of the read or write, {@code path} among them
 */
record PathIdentifier(CaseInsensitiveStringMap options) implements Identifier {
  @Override
  public String[] namespace() {
    return new String[0];
  }

  @Override
  public String name() {
    return PathTables.path(options);
  }
}
