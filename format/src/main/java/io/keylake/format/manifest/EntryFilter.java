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

package io.keylake.format.manifest;

import io.keylake.format.row.BinaryRow;

/**
 * Which entries of a manifest are wanted. It must treat the ADD and the DELETE entry of a file
 * alike. Unwanted entries are skipped before anything is made of them.
 */
public interface EntryFilter {
  /** Wants everything. */
  EntryFilter ALL =
      new EntryFilter() {
        @Override
        public boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets) {
          return true;
        }

        @Override
        public boolean keepsLevel(int level) {
          return true;
        }
      };

  /** Whether files of this bucket are wanted. */
  boolean keepsBucket(BinaryRow partition, int bucket, int totalBuckets);

  /** Whether files of this level are wanted. */
  boolean keepsLevel(int level);
}
