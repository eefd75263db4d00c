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

package io.keylake.format.fileio;

import io.keylake.format.errors.CommitConflictException;
import io.keylake.format.errors.Condition;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/**
 * One way to make a whole file appear, by what the storage guarantees. Safe for use by many threads
 * and processes.
 */
interface Publisher {
  /** How storage gives a folder another name. */
  enum FolderMove {
    /** All of it at once. */
    AT_ONCE,
    /** It cannot, or nothing is known about it. */
    FILE_BY_FILE
  }

  /** How the storage of the paths of this publisher gives a folder another name. */
  FolderMove folderMove();

  /** The contract of {@link FileIO#publish}, for a path of this publisher's file system. */
  FileIO.Publication publish(Path file, byte[] content) throws IOException;

  /** The contract of {@link FileIO#overwrite}, for a path of this publisher's file system. */
  void replace(Path file, byte[] content) throws IOException;

  /** The failure of a publication of which nobody can say whether it happened. */
  static CommitConflictException outcomeUnknown(Path file, Throwable cause) {
    return new CommitConflictException(
        Condition.KEYLAKE_COMMIT_OUTCOME_UNKNOWN,
        "Cannot say whether "
            + file
            + " was published: storage failed and could not be read back. Nothing was deleted."
            + " Check whether the file exists before doing the same again.",
        cause);
  }
}
