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

package io.keylake.table.evolution;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicates;
import io.keylake.format.predicate.ValueBounds;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds columns of the current schema in files that were written with an older one.
 *
 * <ol>
 *   <li>Columns are matched by id, so renames do not matter, and a column that was dropped and
 *       added again is another one.
 *   <li>A column that the file lacks is NULL in all its rows, or has the value of {@link
 *       ExistsDefaults}.
 *   <li>Bounds of a column whose type has changed are cast if that keeps the order of values, and
 *       unknown otherwise.
 *   <li>A predicate is asked of the file with the file's columns. A comparison of a column that the
 *       file lacks, or has with another type, cannot be asked, except where an integer is stored
 *       narrower and every literal fits; it drops out of an AND and takes an OR with it.
 * </ol>
 *
 * Rule source: table format, reading files written under another schema version. Pinned by {@code
 * StoredColumnsTest}. Safe for use by many threads.
 */
public final class StoredColumns {
  private final TableSchema fileSchema;
  private final Map<Integer, Object> existsDefaults;
  private final Map<List<String>, BinaryRowCodec> statsCodecs = new ConcurrentHashMap<>();
  private final BinaryRowCodec allColumns;

  private StoredColumns(TableSchema fileSchema, Map<Integer, Object> existsDefaults) {
    this.fileSchema = fileSchema;
    this.existsDefaults = existsDefaults;
    this.allColumns = BinaryRowCodec.of(fileSchema.rowType());
  }

  /** The columns of {@code current} in files of {@code fileSchema}. */
  public static StoredColumns of(TableSchema fileSchema, TableSchema current) {
    return new StoredColumns(fileSchema, ExistsDefaults.of(current));
  }

  /** The column as the file has it, or empty when the file lacks it. */
  public Optional<DataField> find(DataField column) {
    return fileSchema.rowType().fieldById(column.id());
  }

  /**
   * What the statistics of a file say of a column.
   *
   * @param column as the current schema has it
   * @param stats the file's statistics
   * @param statsColumns names of the columns that they cover, in order; null = all of the file
   * @param rowCount rows of the file
   */
  public ValueBounds bounds(
      DataField column, ColumnStats stats, @Nullable List<String> statsColumns, long rowCount) {
    Optional<DataField> stored = find(column);
    if (stored.isEmpty()) {
      Object value = existsDefaults.get(column.id());
      return value == null ? ValueBounds.allNull(rowCount) : new ValueBounds(value, value, 0L);
    }
    BinaryRowCodec codec =
        statsColumns == null
            ? allColumns
            : statsCodecs.computeIfAbsent(List.copyOf(statsColumns), this::statsCodec);
    int position = codec.type().indexOfId(column.id());
    boolean covered = position >= 0 && position < stats.minValues().arity();
    return covered ? bounds(column.type(), stats, codec, position) : ValueBounds.UNKNOWN;
  }

  /** Statistics that cover a column which the schema lacks cannot be read at all. */
  private BinaryRowCodec statsCodec(List<String> names) {
    List<DataField> fields = new ArrayList<>(fileSchema.fields());
    fields.add(TrackedRows.ROW_ID);
    fields.add(TrackedRows.SEQUENCE_NUMBER);
    RowType all = RowType.of(fields);
    boolean known = all.names().containsAll(names);
    return BinaryRowCodec.of(known ? all.project(names) : RowType.of(List.of()));
  }

  private static ValueBounds bounds(
      DataType wanted, ColumnStats stats, BinaryRowCodec codec, int position) {
    DataType stored = codec.type().field(position).type();
    if (stored.root().isNested() || !TypeCasts.keepOrder(stored, wanted)) {
      return ValueBounds.UNKNOWN;
    }
    Long nullCount = position < stats.nullCounts().size() ? stats.nullCounts().get(position) : null;
    return new ValueBounds(
        cast(codec.value(stats.minValues(), position), stored, wanted),
        cast(codec.value(stats.maxValues(), position), stored, wanted),
        nullCount);
  }

  private static @Nullable Object cast(@Nullable Object value, DataType from, DataType to) {
    return value == null ? null : BoundCasts.cast(value, from, to).orElse(null);
  }

  /**
   * What of {@code predicate} the file can be asked; every row that satisfies it satisfies this.
   */
  public Optional<Predicate> translate(Predicate predicate) {
    if (predicate instanceof Leaf leaf) {
      return find(leaf.field()).flatMap(stored -> translate(leaf, stored));
    }
    List<Predicate> parts = new ArrayList<>();
    boolean isAnd = predicate instanceof Predicate.And;
    for (Predicate part : isAnd ? Predicates.conjuncts(List.of(predicate)) : orParts(predicate)) {
      Optional<Predicate> translated = translate(part);
      if (translated.isPresent()) {
        parts.add(translated.get());
      } else if (!isAnd) {
        return Optional.empty();
      }
    }
    return isAnd ? Predicates.and(parts) : Optional.of(Predicates.or(parts));
  }

  private static List<Predicate> orParts(Predicate predicate) {
    return ((Predicate.Or) predicate).parts();
  }

  private static Optional<Predicate> translate(Leaf leaf, DataField stored) {
    DataType asked = leaf.field().type();
    if (stored.type().asNullable().equals(asked.asNullable())) {
      return Optional.of(new Leaf(stored, leaf.operator(), leaf.literals()));
    }
    if (!(stored.type() instanceof AtomicType narrow)
        || !isInteger(narrow.root())
        || !isInteger(asked.root())
        || !TypeCasts.keepOrder(narrow, asked)) {
      return Optional.empty();
    }
    List<Object> literals = new ArrayList<>();
    for (Object literal : leaf.literals()) {
      Object converted = narrowed(((Number) literal).longValue(), narrow.root());
      if (((Number) converted).longValue() != ((Number) literal).longValue()) {
        return Optional.empty();
      }
      literals.add(converted);
    }
    return Optional.of(new Leaf(stored, leaf.operator(), literals));
  }

  private static boolean isInteger(TypeRoot root) {
    return root == TypeRoot.TINYINT
        || root == TypeRoot.SMALLINT
        || root == TypeRoot.INT
        || root == TypeRoot.BIGINT;
  }

  private static Object narrowed(long value, TypeRoot root) {
    return switch (root) {
      case TINYINT -> (byte) value;
      case SMALLINT -> (short) value;
      case INT -> (int) value;
      default -> value;
    };
  }
}
