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
 * A vector of fixed length. Known so that foreign schemas parse; tables with such a column are
 * refused for reading and writing.
 *
 * @param element the type of its elements
 * @param length the number of elements
 * @param nullable whether the vector itself may be NULL
 */
public record VectorType(DataType element, int length, boolean nullable) implements DataType {
  private static final long serialVersionUID = 1L;

  @Override
  public TypeRoot root() {
    return TypeRoot.VECTOR;
  }

  @Override
  public VectorType asNullable() {
    return new VectorType(element, length, true);
  }

  @Override
  public VectorType asNotNull() {
    return new VectorType(element, length, false);
  }
}
