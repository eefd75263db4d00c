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

package io.keylake.spark.changelog.difference;

import io.keylake.spark.changelog.ChangeRows;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.jspecify.annotations.Nullable;

/** The changes of states that turned out to be the same. */
final class NoChanges implements ChangeRows {
  @Override
  public boolean next() {
    return false;
  }

  @Override
  public int rows() {
    return 0;
  }

  @Override
  public ColumnVector column(int index) {
    throw new IllegalStateException("There are no rows");
  }

  @Override
  public @Nullable ColumnVector kinds() {
    return null;
  }

  @Override
  public @Nullable ColumnVector sequenceNumbers() {
    return null;
  }

  @Override
  public void close() {}
}
