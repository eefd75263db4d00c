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

package io.keylake.format.types;

/**
 * A map.
 *
 * @param key the type of its keys; a stored key is never NULL whatever its declared nullability
 * @param value the type of its values
 * @param nullable whether the map itself may be NULL
 */
public record MapType(DataType key, DataType value, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.MAP;
  }

  @Override
  public MapType asNullable() {
    return new MapType(key, value, true);
  }

  @Override
  public MapType asNotNull() {
    return new MapType(key, value, false);
  }
}
