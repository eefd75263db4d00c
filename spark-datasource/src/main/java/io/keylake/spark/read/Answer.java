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

package io.keylake.spark.read;

import io.keylake.format.row.ValueComparator;
import io.keylake.format.types.DataField;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one aggregate is computed from what is known of files. */
sealed interface Answer {
  /**
   * A result.
   *
   * @param value the format's value; null for NULL
   */
  record Result(@Nullable Object value) {}

  /** The column whose type the result has; null when the result is a count. */
  @Nullable DataField column();

  /** The aggregate as text. */
  String name();

  /** The result over these files; empty when it is not known. */
  Optional<Result> of(List<StoredFile> files, FileValues values);

  /** COUNT(*). */
  record Rows() implements Answer {
    @Override
    public @Nullable DataField column() {
      return null;
    }

    @Override
    public String name() {
      return "count(*)";
    }

    @Override
    public Optional<Result> of(List<StoredFile> files, FileValues values) {
      return Optional.of(new Result(files.stream().mapToLong(StoredFile::rows).sum()));
    }
  }

  /**
   * COUNT(column).
   *
   * @param counted the column
   */
  record Values(DataField counted) implements Answer {
    @Override
    public @Nullable DataField column() {
      return null;
    }

    @Override
    public String name() {
      return "count(" + counted.name() + ")";
    }

    @Override
    public Optional<Result> of(List<StoredFile> files, FileValues values) {
      long count = 0;
      for (StoredFile file : files) {
        FileValues.Column column = values.of(file, counted);
        Long nulls = column.nulls();
        if (nulls == null || (file.deletedRows() > 0 && !column.constant())) {
          return Optional.empty();
        }
        count += column.constant() ? (nulls == 0 ? file.rows() : 0) : file.rows() - nulls;
      }
      return Optional.of(new Result(count));
    }
  }

  /**
   * MIN(column) or MAX(column).
   *
   * @param column the column
   * @param side which of the two
   */
  record Extreme(DataField column, Side side) implements Answer {
    /** Which end of the values. */
    enum Side {
      LOWEST,
      HIGHEST
    }

    @Override
    public String name() {
      return (side == Side.LOWEST ? "min(" : "max(") + column.name() + ")";
    }

    @Override
    public Optional<Result> of(List<StoredFile> files, FileValues values) {
      Object best = null;
      for (StoredFile file : files) {
        FileValues.Column known = values.of(file, column);
        if (known.isAllNull(file.file().rowCount())) {
          continue;
        }
        Object value = side == Side.LOWEST ? known.lowest() : known.highest();
        if (value == null || (file.deletedRows() > 0 && !known.constant())) {
          return Optional.empty();
        }
        best = best == null ? value : better(best, value);
      }
      return Optional.of(new Result(best));
    }

    private Object better(Object left, Object right) {
      int order = ValueComparator.of(column.type()).compare(left, right);
      return side == Side.LOWEST == order <= 0 ? left : right;
    }
  }
}
