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

package io.keylake.table.commit;

/**
 * Gives new sequence numbers to rows whose keys another commit has written meanwhile, so that the
 * later commit wins. Implemented by the data plane, which can rewrite the sequence column of a
 * file.
 */
@FunctionalInterface
public interface SequenceRebase {
  /**
   * Writes the new level-0 files of {@code change} again with sequence numbers from {@code
   * firstSequenceNumber} on, in their old order, under new names. Changelog files that hold the
   * same rows are written again, too. The old files are deleted by the caller.
   *
   * @return the same bucket with the new files; its compaction is not looked at
   */
  BucketChange rebase(BucketChange change, long firstSequenceNumber);
}
