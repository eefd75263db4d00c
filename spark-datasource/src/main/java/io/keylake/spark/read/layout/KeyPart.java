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

package io.keylake.spark.read.layout;

/** One value of the key that all rows of a task share, and the column it follows from. */
public sealed interface KeyPart {
  /** The column, which a join or aggregation must compare. */
  String column();

  /**
   * The value of a partition column.
   *
   * @param column the column
   */
  record PartitionValue(String column) implements KeyPart {}

  /**
   * The number of the bucket, as the part of it that a column of the bucket key stands for.
   *
   * @param column the column
   * @param position its position in the bucket key
   */
  record BucketNumber(String column, int position) implements KeyPart {}

  /**
   * Always 0: rows that agree in the other parts are together whatever the column's value is. Spark
   * wants a part for every column that a join compares.
   *
   * @param column the column
   */
  record AnyValue(String column) implements KeyPart {}
}
