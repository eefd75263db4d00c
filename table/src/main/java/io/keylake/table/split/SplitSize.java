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

package io.keylake.table.split;

import io.keylake.table.options.ScanOptions;

/**
 * How much one task reads.
 *
 * @param targetBytes bytes up to which units are packed together; larger files are cut
 * @param openCostBytes bytes that opening a file counts for at least
 */
public record SplitSize(long targetBytes, long openCostBytes) {
  /** Checks the bounds. */
  public SplitSize {
    if (targetBytes < 1 || openCostBytes < 0) {
      throw new IllegalArgumentException(
          "Invalid split size: " + targetBytes + ", " + openCostBytes);
    }
  }

  /** What the table's options say. */
  public static SplitSize of(ScanOptions options) {
    return new SplitSize(
        Math.max(1, options.splitTargetBytes()), Math.max(0, options.splitOpenCostBytes()));
  }
}
