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

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Publishes on HDFS: writes a temporary file beside the target and renames it, which the name node
 * refuses when the target exists. When the reply of a rename is lost, the temporary file decides:
 * if it can be deleted, the rename did not happen and cannot happen any more; if it is gone, the
 * rename happened.
 */
final class HdfsRenamePublisher implements Publisher {
  private final FileSystem fileSystem;
  private final TemporaryNames names;

  HdfsRenamePublisher(FileSystem fileSystem, TemporaryNames names) {
    this.fileSystem = fileSystem;
    this.names = names;
  }

  @Override
  public FolderMove folderMove() {
    return FolderMove.AT_ONCE;
  }

  @Override
  public FileIO.Publication publish(Path file, byte[] content) throws IOException {
    if (fileSystem.exists(file)) {
      return FileIO.Publication.LOST;
    }
    Path temporary = writeTemporary(file, content);
    IOException failure;
    try {
      if (fileSystem.rename(temporary, file)) {
        return FileIO.Publication.PUBLISHED;
      }
      failure = new IOException("The file system refused to rename " + temporary + " to " + file);
    } catch (IOException renameFailure) {
      failure = renameFailure;
    }
    return outcomeAfter(failure, temporary, file);
  }

  private FileIO.Publication outcomeAfter(IOException failure, Path temporary, Path file)
      throws IOException {
    boolean stillThere;
    boolean exists;
    try {
      stillThere = fileSystem.delete(temporary, false);
      exists = fileSystem.exists(file);
    } catch (IOException readBackFailure) {
      failure.addSuppressed(readBackFailure);
      throw Publisher.outcomeUnknown(file, failure);
    }
    if (exists) {
      return stillThere ? FileIO.Publication.LOST : FileIO.Publication.PUBLISHED;
    }
    if (stillThere) {
      throw failure;
    }
    throw Publisher.outcomeUnknown(file, failure);
  }

  @Override
  public void replace(Path file, byte[] content) throws IOException {
    Path temporary = writeTemporary(file, content);
    fileSystem.delete(file, false);
    if (!fileSystem.rename(temporary, file)) {
      fileSystem.delete(temporary, false);
      throw new IOException("The file system refused to rename " + temporary + " to " + file);
    }
  }

  private Path writeTemporary(Path file, byte[] content) throws IOException {
    Path temporary = names.beside(file);
    try (FSDataOutputStream out = fileSystem.create(temporary, false)) {
      out.write(content);
    } catch (IOException failure) {
      fileSystem.delete(temporary, false);
      throw failure;
    }
    return temporary;
  }
}
