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

import io.keylake.format.types.DataType;

/**
 * A type of a column as Flink names it.
 *
 * @param sql how Spark's DDL names the type as which Spark reads it
 * @param stored the type that the table's schema has
 * @param isExact whether {@code sql} alone gives {@code stored}
 */
record FlinkType(String sql, DataType stored, boolean isExact) {
  /** The same type in NOT NULL, as part of another type that Spark declares as nullable. */
  FlinkType asNotNullPart() {
    return new FlinkType(sql, stored.asNotNull(), false);
  }
}
