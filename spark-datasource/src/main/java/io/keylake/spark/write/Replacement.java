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

package io.keylake.spark.write;

import io.keylake.table.commit.OverwriteScope;
import java.util.Optional;

/**
 * What a write does to the rows that are there.
 *
 * @param scope the files that are replaced; empty = none, rows are added
 */
record Replacement(Optional<OverwriteScope> scope) {
  /** Rows are added. */
  static final Replacement NOTHING = new Replacement(Optional.empty());

  /** What is in {@code scope} is replaced. */
  static Replacement of(OverwriteScope scope) {
    return new Replacement(Optional.of(scope));
  }

  /** Whether the partitions that are written lose what they held. */
  boolean replacesPartitions() {
    return scope.isPresent();
  }
}
