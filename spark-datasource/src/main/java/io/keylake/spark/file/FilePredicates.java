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

package io.keylake.spark.file;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Predicates of a read as a file can be asked them.
 *
 * <ol>
 *   <li>A leaf on a column that the file's schema lacks, or on a partition column, is left out.
 *   <li>A leaf on a column of another type is left out, except integers stored narrower when every
 *       literal fits the stored type.
 *   <li>Leaving out a leaf of an AND weakens it; leaving out one of an OR leaves out the OR.
 * </ol>
 *
 * Rule source: table format, reading files written under another schema version, rule 4. Pinned by
 * {@code FilePredicatesTest}.
 */
public final class FilePredicates {
  private FilePredicates() {}

  /** The columns that {@code predicate} names, each once. */
  public static List<DataField> columns(Predicate predicate) {
    Map<Integer, DataField> columns = new LinkedHashMap<>();
    collect(predicate, columns);
    return List.copyOf(columns.values());
  }

  private static void collect(Predicate predicate, Map<Integer, DataField> columns) {
    if (predicate instanceof Predicate.And and) {
      and.parts().forEach(part -> collect(part, columns));
    } else if (predicate instanceof Predicate.Or or) {
      or.parts().forEach(part -> collect(part, columns));
    } else if (predicate instanceof Predicate.Leaf leaf) {
      columns.putIfAbsent(leaf.field().id(), leaf.field());
    }
  }

  /** The conjuncts of {@code predicate} that name none but these columns; null when none does. */
  public static @Nullable Predicate only(Predicate predicate, List<Integer> fieldIds) {
    List<Predicate> parts =
        predicate instanceof Predicate.And and ? and.parts() : List.of(predicate);
    List<Predicate> kept =
        parts.stream()
            .filter(
                part -> columns(part).stream().allMatch(column -> fieldIds.contains(column.id())))
            .toList();
    return kept.isEmpty() ? null : kept.size() == 1 ? kept.get(0) : new Predicate.And(kept);
  }

  /** What of {@code predicate} a file of {@code fileSchema} can be asked; null when nothing. */
  static @Nullable Predicate forFile(Predicate predicate, TableSchema fileSchema) {
    if (predicate instanceof Predicate.And and) {
      List<Predicate> parts = new ArrayList<>();
      for (Predicate part : and.parts()) {
        Predicate kept = forFile(part, fileSchema);
        if (kept != null) {
          parts.add(kept);
        }
      }
      return parts.isEmpty() ? null : new Predicate.And(parts);
    } else if (predicate instanceof Predicate.Or or) {
      List<Predicate> parts = new ArrayList<>();
      for (Predicate part : or.parts()) {
        Predicate kept = forFile(part, fileSchema);
        if (kept == null) {
          return null;
        }
        parts.add(kept);
      }
      return new Predicate.Or(parts);
    } else if (predicate instanceof Predicate.Leaf leaf) {
      return leaf(leaf, fileSchema);
    }
    return null;
  }

  private static @Nullable Predicate leaf(Predicate.Leaf leaf, TableSchema fileSchema) {
    DataField stored = fileSchema.rowType().fieldById(leaf.field().id()).orElse(null);
    if (stored == null
        || fileSchema.partitionKeys().contains(stored.name())
        || !(stored.type() instanceof AtomicType storedType)
        || !(leaf.field().type() instanceof AtomicType askedType)) {
      return null;
    }
    boolean sameType = storedType.asNullable().equals(askedType.asNullable());
    boolean narrower =
        Widening.isFree(storedType, askedType)
            && switch (storedType.root()) {
              case TINYINT, SMALLINT, INT, BIGINT ->
                  leaf.literals().stream().allMatch(value -> fits(value, storedType.root()));
              case VARCHAR, VARBINARY, TIMESTAMP, TIMESTAMP_LTZ -> true;
              default -> false;
            };
    return sameType || narrower
        ? new Predicate.Leaf(stored, leaf.operator(), leaf.literals())
        : null;
  }

  private static boolean fits(Object literal, TypeRoot root) {
    long value = ((Number) literal).longValue();
    return switch (root) {
      case TINYINT -> value == (byte) value;
      case SMALLINT -> value == (short) value;
      case INT -> value == (int) value;
      default -> true;
    };
  }
}
