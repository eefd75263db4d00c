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

package io.keylake.spark.write.stream;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How rows of a query become rows of the table. Travels to executors.
 *
 * @param values the table's columns, of those of the query
 * @param query the columns of the query
 */
record AlignedRows(List<Expression> values, List<Attribute> query) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A projection, for one task. */
  UnsafeProjection projection() {
    return UnsafeProjection.create(
        CollectionConverters.asScala(values).toSeq(), CollectionConverters.asScala(query).toSeq());
  }
}
