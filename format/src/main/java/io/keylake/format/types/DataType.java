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

import java.io.Serializable;

/** A data type of the format with its nullability. Immutable; equality by value. */
public sealed interface DataType extends Serializable
    permits AtomicType, ArrayType, MapType, MultisetType, RowType, VectorType {
  /** The kind of the type. */
  TypeRoot root();

  /** Whether a value may be NULL. */
  boolean nullable();

  /** The same type, nullable. */
  DataType asNullable();

  /** The same type, NOT NULL. */
  DataType asNotNull();
}
