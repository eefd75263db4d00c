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

package io.keylake.table.options.support;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.KnownOptions;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.StorageKeys;
import io.keylake.table.options.engine.CountedColumns;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which options may be changed.
 *
 * <ol>
 *   <li>{@code primary-key} and {@code partition} are given when a table is created and never
 *       after.
 *   <li>While a table has no snapshot everything else may change.
 *   <li>After that, options that decide how files are to be understood stay as they are; {@code
 *       bucket} may change between positive numbers only and may not be removed; {@code
 *       deletion-vectors.enabled} needs {@code deletion-vectors.modifiable}; {@code ignore-delete}
 *       and {@code ignore-update-before} may be turned on but not off.
 *   <li>Options of a statement or a session may not override any of these, nor any that decides how
 *       rows of a key combine; they may repeat what the table has, and turn those two on.
 * </ol>
 *
 * <p>Rule source: table format, evolution of schemas (set and remove options).
 */
public final class OptionChanges {
  private OptionChanges() {}

  /** Checks new options of a table that has no snapshot. */
  public static void checkEmpty(TableSchema schema, Map<String, String> newOptions, String table) {
    for (String name : changed(schema.options(), newOptions)) {
      KnownOptions.find(name)
          .filter(key -> key.change() == OptionKey.Change.AT_CREATION)
          .ifPresent(
              key -> {
                throw refuse(
                    name,
                    table,
                    "It is fixed when the table is created. Replace the" + " table to change it.");
              });
    }
  }

  /** Checks new options of a table that has snapshots. */
  public static void checkFilled(TableSchema schema, Map<String, String> newOptions, String table) {
    checkEmpty(schema, newOptions, table);
    Map<String, String> old = schema.options();
    for (String name : changed(old, newOptions)) {
      Optional<OptionKey<?>> key = KnownOptions.find(name);
      if (key.isEmpty() || sameValue(key.get(), old, newOptions)) {
        continue;
      }
      switch (key.get().change()) {
        case FREE, TABLE, AT_CREATION -> {}
        case WHILE_EMPTY ->
            throw refuse(
                name,
                table,
                "It cannot change once the table has data. Replace the table to change it.");
        case CONDITIONAL -> checkCondition(key.get(), old, newOptions, table);
      }
    }
  }

  /** Checks options of a statement or session, which are not stored. */
  public static void checkOverrides(
      TableSchema schema, Map<String, String> overrides, String table) {
    Map<String, String> effective = new HashMap<>(schema.options());
    effective.putAll(overrides);
    for (String name : new TreeSet<>(overrides.keySet())) {
      Optional<OptionKey<?>> key = KnownOptions.find(name);
      if (key.isPresent()
          && key.get().change() != OptionKey.Change.FREE
          && !sameValue(key.get(), schema.options(), effective)) {
        throw refuse(
            name,
            table,
            "It is a property of the table and cannot be set for a statement or session.");
      }
    }
  }

  /**
   * Checks options of one read or write. Each has a value that it can have, whether or not the
   * statement comes to ask for it. None says another thing than the table of how files are to be
   * understood, where rows belong, or how rows of a key combine: what one statement would do by
   * other rules no other statement would understand.
   */
  public static void checkStatement(
      TableSchema schema, Map<String, String> overrides, String table) {
    overrides.forEach((name, value) -> KnownOptions.find(name).ifPresent(key -> key.parse(value)));
    Map<String, String> fixed = new HashMap<>();
    CountedColumns.stored(overrides)
        .forEach(
            (name, value) ->
                KnownOptions.find(name)
                    .filter(key -> key.change() != OptionKey.Change.FREE)
                    .filter(key -> !isDefinition(key, value, schema) && !isTurnedOn(key, value))
                    .ifPresent(key -> fixed.put(name, value)));
    checkOverrides(schema, fixed, table);
  }

  /**
   * Whether an option repeats the key or the partition columns, which are not stored as options.
   */
  private static boolean isDefinition(OptionKey<?> key, String value, TableSchema schema) {
    if (key == EngineKeys.PRIMARY_KEY) {
      return EngineKeys.PRIMARY_KEY.parse(value).equals(schema.primaryKeys());
    }
    return key == EngineKeys.PARTITION
        && EngineKeys.PARTITION.parse(value).equals(schema.partitionKeys());
  }

  /** Whether what a statement brings is narrowed, as a table's own option may be at any time. */
  private static boolean isTurnedOn(OptionKey<?> key, String value) {
    boolean narrows = key == EngineKeys.IGNORE_DELETE || key == EngineKeys.IGNORE_UPDATE_BEFORE;
    return narrows && Boolean.TRUE.equals(key.parse(value));
  }

  private static void checkCondition(
      OptionKey<?> key, Map<String, String> old, Map<String, String> now, String table) {
    if (key == StorageKeys.BUCKET) {
      int before = StorageKeys.BUCKET.read(old);
      if (!now.containsKey(key.name()) || before < 1 || StorageKeys.BUCKET.read(now) < 1) {
        throw refuse(
            key.name(),
            table,
            "Once the table has data it may change between positive numbers only.");
      }
    } else if (key == EngineKeys.DELETION_VECTORS) {
      if (!EngineKeys.DELETION_VECTORS_MODIFIABLE.read(now)) {
        throw refuse(
            key.name(),
            table,
            "Once the table has data it may change only with '"
                + EngineKeys.DELETION_VECTORS_MODIFIABLE.name()
                + "' = 'true'.");
      }
    } else if (value(key, old) == Boolean.TRUE) {
      throw refuse(key.name(), table, "Once the table has data it cannot be turned off.");
    }
  }

  private static Set<String> changed(Map<String, String> old, Map<String, String> now) {
    Set<String> names = new HashSet<>(old.keySet());
    names.addAll(now.keySet());
    Set<String> changed = new TreeSet<>();
    for (String name : names) {
      String before = old.get(name);
      if (before == null || !before.equals(now.get(name))) {
        changed.add(name);
      }
    }
    return changed;
  }

  private static boolean sameValue(
      OptionKey<?> key, Map<String, String> old, Map<String, String> now) {
    boolean removed = key == StorageKeys.BUCKET && key.isSet(old) && !key.isSet(now);
    return !removed && key.find(old).equals(key.find(now));
  }

  private static @Nullable Object value(OptionKey<?> key, Map<String, String> options) {
    return key.find(options).orElse(null);
  }

  private static InvalidRequestException refuse(String name, String table, String reason) {
    return new InvalidRequestException(
        Condition.KEYLAKE_IMMUTABLE_OPTION,
        "Cannot change option '"
            + CountedColumns.shownName(name)
            + "' of table "
            + table
            + ". "
            + reason);
  }
}
