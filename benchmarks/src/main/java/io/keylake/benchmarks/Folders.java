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

package io.keylake.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Copies, sizes and removal of the folders of tables. */
final class Folders {
  private Folders() {}

  /**
   * Replaces {@code to} by a copy of {@code from}; files that are never changed ({@code immutable},
   * by name) are the same on disk where the file system can link them.
   */
  static void copy(Path from, Path to, Predicate<String> immutable) {
    delete(to);
    try {
      for (Path path : tree(from)) {
        Path target = to.resolve(from.relativize(path));
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else if (immutable.test(path.getFileName().toString())) {
          link(path, target);
        } else {
          Files.copy(path, target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (UnsupportedOperationException e) {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Deletes a folder and all in it; nothing happens when there is none. */
  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      for (Path path : tree(folder).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of the files of a folder whose names are chosen. */
  static long bytes(Path folder, Predicate<String> names) {
    try {
      long bytes = 0;
      for (Path path : tree(folder)) {
        if (Files.isRegularFile(path) && names.test(path.getFileName().toString())) {
          bytes += Files.size(path);
        }
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of the files in {@code folder} that {@code older} has no file in the place of. */
  static long newBytes(Path folder, Path older) {
    try {
      long bytes = 0;
      for (Path path : tree(folder)) {
        if (Files.isRegularFile(path) && !Files.exists(older.resolve(folder.relativize(path)))) {
          bytes += Files.size(path);
        }
      }
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> tree(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.toList();
    }
  }
}
