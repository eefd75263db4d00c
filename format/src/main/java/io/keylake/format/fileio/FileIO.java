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

import java.util.List;
import java.util.Optional;

/**
 * All access to storage. Every method throws {@link java.io.UncheckedIOException} with the path and
 * the operation when storage fails; a missing file has {@link java.io.FileNotFoundException} as its
 * cause. Implementations are safe for use by many threads. Whole-file reads are for metadata files
 * only; data files are opened by the data plane through {@link HadoopFileIO}.
 */
public interface FileIO {
  /** What became of an attempt to publish. */
  enum Publication {
    /** This caller's content is now the file. */
    PUBLISHED,
    /** The file exists with another's content; nothing changed. */
    LOST
  }

  /** The whole content of a file. */
  byte[] read(Location file);

  /** The whole content, or empty when the file does not exist. */
  Optional<byte[]> readIfExists(Location file);

  /** Whether a file or folder exists. */
  boolean exists(Location location);

  /** The status of a file or folder, or empty when it does not exist. */
  Optional<FileStatus> status(Location location);

  /**
   * The files and folders directly in {@code folder}, in no order; empty when the folder does not
   * exist. A listing that fails throws and never shrinks.
   */
  List<FileStatus> list(Location folder);

  /** Creates {@code folder} and what is above it; nothing happens when it exists. */
  void createFolder(Location folder);

  /** Writes a new file of a name nobody else uses; an existing file is an error. */
  void create(Location file, byte[] content);

  /**
   * Writes a file, replacing an existing one; readers may see either content, or for a moment none.
   * For hints, tags and consumers only.
   */
  void overwrite(Location file, byte[] content);

  /**
   * Makes {@code content} the file {@code file} if and only if no such file exists, atomically
   * among all processes: exactly one of several callers gets {@link Publication#PUBLISHED}, and no
   * reader ever sees part of the content. When the reply of storage is lost the file is read back,
   * so an answer is never a guess.
   *
   * @throws io.keylake.format.errors.UnsupportedTableException with KEYLAKE_UNSAFE_STORAGE when the
   *     storage has no such operation
   * @throws io.keylake.format.errors.CommitConflictException with KEYLAKE_COMMIT_OUTCOME_UNKNOWN
   *     when the outcome cannot be learned
   */
  Publication publish(Location file, byte[] content);

  /**
   * Moves a folder, with all it holds, to a name that does not exist yet; an existing target is an
   * error. Where storage cannot do that at once, files are copied, and then deleted. What fails
   * before the last copy is made has changed nothing; what fails later leaves files of the old
   * folder, but none of {@code decisive}.
   *
   * @param decisive the folder in it whose files say that the whole exists: they are copied last,
   *     and deleted first
   */
  void renameFolder(Location from, Location to, String decisive);

  /** Deletes a file; nothing happens when it does not exist. */
  void delete(Location file);

  /**
   * Deletes a folder if there is nothing in it, atomically where storage can; nothing happens when
   * it does not exist.
   *
   * @return false when there is something in it
   */
  boolean deleteEmptyFolder(Location folder);

  /** Deletes a folder with all it holds; nothing happens when it does not exist. */
  void deleteFolder(Location folder);
}
