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

package io.keylake.table.options;

import io.keylake.table.options.OptionKey.Change;
import io.keylake.table.options.OptionKey.Refusal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every option that this version knows by name. Those it gives a meaning are declared in the key
 * classes; those it only accepts or refuses in {@code accepted-options.tsv}, one a line.
 */
public final class KnownOptions {
  private static final String RESOURCE = "accepted-options.tsv";
  private static final Map<String, OptionKey<?>> BY_NAME = load();
  private static final Map<String, OptionKey<?>> BY_SPELLING = spellings(BY_NAME.values());
  private static final Map<Pattern, OptionKey<?>> FAMILIES = families(BY_NAME.values());

  private KnownOptions() {}

  /** All options, by name. */
  public static Collection<OptionKey<?>> all() {
    return BY_NAME.values();
  }

  /**
   * The option that {@code key} names, by its name, an older spelling or a family's pattern; a
   * member of a family has the name {@code key}.
   */
  public static Optional<OptionKey<?>> find(String key) {
    OptionKey<?> exact = BY_SPELLING.get(key);
    if (exact != null) {
      return Optional.of(exact);
    }
    for (Map.Entry<Pattern, OptionKey<?>> family : FAMILIES.entrySet()) {
      if (family.getKey().matcher(key).matches()) {
        return Optional.of(family.getValue().spelled(key));
      }
    }
    return Optional.empty();
  }

  private static Map<String, OptionKey<?>> load() {
    Map<String, OptionKey<?>> keys = new TreeMap<>();
    Stream.of(
            StorageKeys.all(),
            EngineKeys.all(),
            CompactionKeys.all(),
            CommitKeys.all(),
            ScanKeys.all(),
            accepted())
        .flatMap(List::stream)
        .forEach(
            key -> {
              if (keys.put(key.name(), key) != null) {
                throw new IllegalStateException("Option " + key.name() + " is declared twice");
              }
            });
    return Collections.unmodifiableMap(keys);
  }

  private static Map<String, OptionKey<?>> spellings(Collection<OptionKey<?>> keys) {
    Map<String, OptionKey<?>> spellings = new TreeMap<>();
    for (OptionKey<?> key : keys) {
      for (String spelling : key.fallbackKeys()) {
        spellings.putIfAbsent(spelling, key);
      }
    }
    keys.forEach(key -> spellings.put(key.name(), key));
    return spellings;
  }

  private static Map<Pattern, OptionKey<?>> families(Collection<OptionKey<?>> keys) {
    Map<Pattern, OptionKey<?>> families = new LinkedHashMap<>();
    for (OptionKey<?> key : keys) {
      if (key.name().matches(".*[<#*].*")) {
        StringBuilder pattern = new StringBuilder();
        for (String part : key.name().split("(?=[<#*])|(?<=[>#*])", -1)) {
          boolean placeholder = part.matches("<.*>|#|\\*");
          pattern.append(placeholder ? ".+" : Pattern.quote(part));
        }
        families.put(Pattern.compile(pattern.toString()), key);
      }
    }
    return families;
  }

  private static List<OptionKey<?>> accepted() {
    try (InputStream in = KnownOptions.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("The class path lacks " + RESOURCE);
      }
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      List<OptionKey<?>> keys = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("# ")) {
          keys.add(declaration(line.split("\t", -1)));
        }
      }
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + RESOURCE, e);
    }
  }

  private static OptionKey<?> declaration(String[] columns) {
    if (columns.length != 7) {
      throw new IllegalStateException("Malformed line of " + RESOURCE + ": " + columns[0]);
    }
    return declaration(columns, type(columns[1]));
  }

  private static <T> OptionKey<T> declaration(String[] columns, OptionType<T> type) {
    OptionKey<T> plain =
        columns[2].isEmpty()
            ? OptionKey.optional(columns[0], type, columns[6])
            : OptionKey.of(columns[0], type, type.parse(columns[2]), columns[6]);
    OptionKey<T> key =
        plain.refused(Refusal.valueOf(columns[4])).changes(Change.valueOf(columns[5]));
    return columns[3].isEmpty() ? key : key.fallback(columns[3].split(",", -1));
  }

  private static OptionType<?> type(String name) {
    return switch (name) {
      case "bool" -> OptionType.BOOL;
      case "int" -> OptionType.INT;
      case "long" -> OptionType.LONG;
      case "double" -> OptionType.DOUBLE;
      case "string" -> OptionType.TEXT;
      case "size" -> OptionType.SIZE;
      case "duration" -> OptionType.DURATION;
      case "map" -> OptionType.MAP;
      default -> {
        if (!name.startsWith("enum(") || !name.endsWith(")")) {
          throw new IllegalStateException("Unknown type " + name + " in " + RESOURCE);
        }
        String texts = name.substring("enum(".length(), name.length() - 1);
        yield OptionType.oneOf(List.of(texts.split("\\|", -1)));
      }
    };
  }
}
