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

package io.keylake.procedures.report;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.procedures.call.Arguments;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The file that a report is written to.
 *
 * <ol>
 *   <li>It is reached as the driver reaches any path: through Hadoop, with the driver's rights.
 *   <li>Its name ends with {@code .html}.
 *   <li>It is not inside the folder of any table: none of the folders above it holds {@code
 *       schema/schema-0}.
 *   <li>A file that exists is replaced only if it is a report.
 * </ol>
 *
 * @param io the storage
 * @param location the full address
 */
record ReportFile(HadoopFileIO io, Location location) {
  /** What every report begins with. */
  static final String MARK = "<!DOCTYPE html>\n<!-- report of a Keylake table -->\n";

  /**
   * The file that an argument names.
   *
   * @throws InvalidRequestException when nothing may be written there
   */
  static ReportFile at(FileIO storage, String text, Arguments arguments) {
    if (!text.strip().toLowerCase(Locale.ROOT).endsWith(".html")) {
      throw arguments.invalid("the path '" + text + "' does not end with .html. Name such a file.");
    }
    if (!(storage instanceof HadoopFileIO io)) {
      throw arguments.invalid("the table's storage has no paths. Leave the path out.");
    }
    ReportFile file = new ReportFile(io, qualified(io, text.strip()));
    file.checkPlace();
    file.checkExisting(arguments);
    return file;
  }

  private static Location qualified(HadoopFileIO io, String text) {
    Path path;
    try {
      path = new Path(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot write a report to '" + text + "': it is no path. " + e.getMessage(),
          e);
    }
    FileSystem fileSystem = io.fileSystem(io.location(path));
    return io.location(fileSystem.makeQualified(path));
  }

  private void checkPlace() {
    for (Path folder = io.path(location).getParent(); folder != null; folder = folder.getParent()) {
      Location above = io.location(folder);
      if (io.exists(TableLayout.of(above).schema(0))) {
        throw new InvalidRequestException(
            Condition.KEYLAKE_FORBIDDEN_PATH,
            "Cannot write a report to "
                + location
                + ": the folder "
                + above
                + " is a table's. Choose a path outside of tables.");
      }
    }
  }

  private void checkExisting(Arguments arguments) {
    Optional<FileStatus> status = io.status(location);
    if (status.isEmpty()) {
      return;
    }
    if (status.get().isDirectory()) {
      throw arguments.invalid("the path " + location + " is a folder. Name a file in it.");
    }
    if (!isReport()) {
      throw arguments.invalid(
          "the file "
              + location
              + " exists and is no report. Choose another path, or delete the file.");
    }
  }

  private boolean isReport() {
    byte[] mark = MARK.getBytes(StandardCharsets.UTF_8);
    Path path = io.path(location);
    try (InputStream in = io.fileSystem(location).open(path)) {
      return Arrays.equals(in.readNBytes(mark.length), mark);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + location, e);
    }
  }

  String path() {
    return location.path();
  }

  void write(byte[] content) {
    io.createFolder(location.parent());
    io.delete(location);
    io.create(location, content);
  }
}
