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
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;

/**
 * Publishes on object stores that create an object only if none of its name exists, decided when
 * the object is complete. After a failure the object is read back and compared; while there is none
 * the same content is tried again, which is harmless should the first attempt arrive late.
 */
final class ConditionalCreatePublisher implements Publisher {
  static final String OPTION = CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE;

  private static final int ATTEMPTS = 3;

  private final FileSystem fileSystem;

  ConditionalCreatePublisher(FileSystem fileSystem) {
    this.fileSystem = fileSystem;
  }

  @Override
  public FolderMove folderMove() {
    return FolderMove.FILE_BY_FILE;
  }

  @Override
  public FileIO.Publication publish(Path file, byte[] content) throws IOException {
    IOException failure = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        createIfAbsent(file, content);
        return FileIO.Publication.PUBLISHED;
      } catch (IOException createFailure) {
        if (failure != null) {
          createFailure.addSuppressed(failure);
        }
        failure = createFailure;
      }
      Optional<byte[]> stored = readBack(file, failure);
      if (stored.isPresent()) {
        return Arrays.equals(stored.get(), content)
            ? FileIO.Publication.PUBLISHED
            : FileIO.Publication.LOST;
      }
    }
    throw Publisher.outcomeUnknown(file, new IOException("Tried " + ATTEMPTS + " times", failure));
  }

  private void createIfAbsent(Path file, byte[] content) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder =
        fileSystem.createFile(file).create().overwrite(true).recursive();
    builder.must(OPTION, true);
    FSDataOutputStream out = builder.build();
    boolean written = false;
    try {
      out.write(content);
      written = true;
    } finally {
      if (written) {
        out.close();
      } else {
        out.abort();
      }
    }
  }

  private Optional<byte[]> readBack(Path file, IOException failure) {
    try {
      return WholeFile.readIfExists(fileSystem, file);
    } catch (IOException readFailure) {
      failure.addSuppressed(readFailure);
      throw Publisher.outcomeUnknown(file, failure);
    }
  }

  @Override
  public void replace(Path file, byte[] content) throws IOException {
    WholeFile.write(fileSystem, file, content);
  }
}
