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

package io.keylake.extensions.dialect;

import io.keylake.extensions.parser.StatementScope;
import java.util.Map;
import java.util.stream.Collectors;

/** Lists of properties as SQL writes them. */
final class Properties {
  private Properties() {}

  /** {@code ('key' = 'value', ...)}. */
  static String sql(Map<String, String> properties) {
    return properties.entrySet().stream()
        .map(
            property ->
                StatementScope.literal(property.getKey())
                    + " = "
                    + StatementScope.literal(property.getValue()))
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
