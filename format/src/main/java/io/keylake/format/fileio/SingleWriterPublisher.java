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
 * Publishes on storage of which nothing is known, for users who promise that only one process
 * writes a table at a time: looks whether the target exists, then renames a temporary file.
 */
final class SingleWriterPublisher implements Publisher {
  private final FileSystem fileSystem;
  private final TemporaryNames names;

  SingleWriterPublisher(FileSystem fileSystem, TemporaryNames names) {
    this.fileSystem = fileSystem;
    this.names = names;
  }

  @Override
  public FolderMove folderMove() {
    return FolderMove.FILE_BY_FILE;
  }

  @Override
  public FileIO.Publication publish(Path file, byte[] content) throws IOException {
    if (fileSystem.exists(file)) {
      return FileIO.Publication.LOST;
    }
    moveInto(file, content);
    return FileIO.Publication.PUBLISHED;
  }

  @Override
  public void replace(Path file, byte[] content) throws IOException {
    fileSystem.delete(file, false);
    moveInto(file, content);
  }

  private void moveInto(Path file, byte[] content) throws IOException {
    Path temporary = names.beside(file);
    try (FSDataOutputStream out = fileSystem.create(temporary, false)) {
      out.write(content);
    }
    if (!fileSystem.rename(temporary, file)) {
      fileSystem.delete(temporary, false);
      throw new IOException("The file system refused to rename " + temporary + " to " + file);
    }
  }
}
