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

package io.keylake.catalog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.Location;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The properties of a database: a JSON object of strings in a file of its folder, which other
 * engines do not look at. There is a file only when somebody gave the database a property; the
 * owner alone, which Spark always adds, makes none.
 */
final class NamespaceProperties {
  private static final String FILE = ".keylake-namespace.json";
  private static final Set<String> ADDED_BY_SPARK = Set.of("owner");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FileIO io;

  NamespaceProperties(FileIO io) {
    this.io = io;
  }

  /** Whether {@code file} is where a database's properties are. */
  static boolean isStoredIn(Location file) {
    return file.name().equals(FILE);
  }

  /** The properties of the database in {@code folder}. */
  Map<String, String> read(Location folder) {
    Location file = folder.child(FILE);
    Optional<byte[]> content = io.readIfExists(file);
    if (content.isEmpty()) {
      return Map.of();
    }
    try {
      return JSON.readValue(content.get(), new TypeReference<TreeMap<String, String>>() {});
    } catch (IOException e) {
      throw new CorruptTableException(
          file.path(),
          "The properties of a namespace are no JSON object of strings. Delete the file to drop"
              + " them.",
          e);
    }
  }

  /** Replaces the properties of the database in {@code folder}. */
  void write(Location folder, Map<String, String> properties) {
    Location file = folder.child(FILE);
    if (ADDED_BY_SPARK.containsAll(properties.keySet())) {
      io.delete(file);
      return;
    }
    try {
      String text = JSON.writeValueAsString(new TreeMap<>(properties));
      io.overwrite(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Strings have a JSON form", e);
    }
  }
}
