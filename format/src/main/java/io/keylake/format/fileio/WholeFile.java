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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.FutureIO;

/** Reads and writes small files in one go. */
final class WholeFile {
  private WholeFile() {}

  static byte[] read(FileSystem fileSystem, Path file) throws IOException {
    try (FSDataInputStream in =
        FutureIO.awaitFuture(
            fileSystem
                .openFile(file)
                .opt(
                    OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY,
                    OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE)
                .build())) {
      return in.readAllBytes();
    }
  }

  static Optional<byte[]> readIfExists(FileSystem fileSystem, Path file) throws IOException {
    try {
      return Optional.of(read(fileSystem, file));
    } catch (FileNotFoundException missing) {
      return Optional.empty();
    }
  }

  static void write(FileSystem fileSystem, Path file, byte[] content) throws IOException {
    try (FSDataOutputStream out = fileSystem.create(file, true)) {
      out.write(content);
    }
  }
}
