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

package io.keylake.spark.maintenance.orphan;

/**
 * What the removal of orphans did, or would do.
 *
 * @param files orphans that were deleted, or that a dry run found
 * @param bytes their size
 * @param failed orphans that storage refused to delete
 */
public record OrphanSummary(long files, long bytes, long failed) {
  /** Nothing. */
  public static final OrphanSummary NOTHING = new OrphanSummary(0, 0, 0);

  /** Both together. */
  public OrphanSummary and(OrphanSummary other) {
    return new OrphanSummary(files + other.files, bytes + other.bytes, failed + other.failed);
  }
}
