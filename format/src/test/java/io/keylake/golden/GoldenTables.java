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

package io.keylake.golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Tables written by the reference implementation (release 1.4.2), with the rows it reads from them,
 * as resources {@code golden/tables/<table>.zip} and {@code golden/expected/<table>/<file>}.
 */
public final class GoldenTables {
  private GoldenTables() {}

  /** The names of all tables, sorted. */
  public static List<String> names() {
    return lines("golden/tables.txt");
  }

  /** Unpacks a table's folder into {@code folder}; the table's own folder, {@code folder/table}. */
  public static Path unpack(String table, Path folder) {
    try (InputStream in = open("golden/tables/" + table + ".zip");
        ZipInputStream zip = new ZipInputStream(in, StandardCharsets.UTF_8)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
          throw new IOException("Entry outside the folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(zip, target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder.resolve(table);
  }

  /**
   * The lines of an expectation, such as {@code expected.jsonl}; a file stored compressed is found
   * by its plain name.
   */
  public static List<String> expected(String table, String file) {
    String name = "golden/expected/" + table + "/" + file;
    return lines(exists(name) ? name : name + ".gz");
  }

  /** Whether a table has this expectation. */
  public static boolean hasExpected(String table, String file) {
    String name = "golden/expected/" + table + "/" + file;
    return exists(name) || exists(name + ".gz");
  }

  private static boolean exists(String resource) {
    return GoldenTables.class.getClassLoader().getResource(resource) != null;
  }

  private static List<String> lines(String resource) {
    try (InputStream in = open(resource);
        InputStream plain = resource.endsWith(".gz") ? new GZIPInputStream(in) : in;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String resource) throws IOException {
    InputStream in = GoldenTables.class.getClassLoader().getResourceAsStream(resource);
    if (in == null) {
      throw new IOException("No resource " + resource);
    }
    return in;
  }
}
