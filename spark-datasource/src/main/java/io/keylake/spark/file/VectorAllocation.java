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

package io.keylake.spark.file;

import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;

/**
 * How vectors are made.
 *
 * @param batchRows most rows of a batch
 * @param memory where their values live
 */
public record VectorAllocation(int batchRows, VectorMemory memory) {
  /** A new vector for a batch of values of {@code type}; the caller closes it. */
  public WritableColumnVector allocate(DataType type) {
    return isOffHeap()
        ? new OffHeapColumnVector(batchRows, type)
        : new OnHeapColumnVector(batchRows, type);
  }

  boolean isOffHeap() {
    return memory == VectorMemory.OFF_HEAP;
  }
}
