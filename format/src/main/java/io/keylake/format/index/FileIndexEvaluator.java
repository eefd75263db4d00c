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

package io.keylake.format.index;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.row.Bytes;
import io.keylake.format.types.DataField;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * Asks the file indexes of one data file whether a predicate can select any of its rows. Unknown
 * index types, columns without an index and operators an index cannot answer count as "may match".
 * Not safe for use by several threads.
 */
public final class FileIndexEvaluator {
  private final FileIndexes indexes;
  private final Function<DataField, @Nullable DataField> fileField;
  private final Map<String, Optional<BitmapIndex>> bitmaps = new HashMap<>();
  private final Map<String, Optional<BloomFilterIndex>> filters = new HashMap<>();

  /**
   * An evaluator of a file's indexes.
   *
   * @param indexes the file's indexes
   * @param fileField gives for a predicate's column that of the file's own schema, under its name
   *     there; null when it is missing there or has another type, so that indexes cannot be asked
   */
  public FileIndexEvaluator(
      FileIndexes indexes, Function<DataField, @Nullable DataField> fileField) {
    this.indexes = indexes;
    this.fileField = fileField;
  }

  /** Whether the predicate may select a row of the file; false is certain. */
  public boolean mayMatch(Predicate predicate) {
    if (predicate instanceof Predicate.Or or) {
      return or.parts().stream().anyMatch(this::mayMatch);
    }
    RoaringBitmap rows = selection(predicate);
    if (rows != null && rows.isEmpty()) {
      return false;
    }
    if (predicate instanceof Predicate.And and) {
      return and.parts().stream().allMatch(this::mayMatch);
    }
    return bloomMayMatch((Predicate.Leaf) predicate);
  }

  /**
   * A superset of the rows the predicate selects, by position in the file; null when the indexes
   * say nothing.
   */
  public @Nullable RoaringBitmap selection(Predicate predicate) {
    if (predicate instanceof Predicate.And and) {
      RoaringBitmap all = null;
      for (Predicate part : and.parts()) {
        RoaringBitmap rows = selection(part);
        if (rows != null) {
          all = all == null ? rows : RoaringBitmap.and(all, rows);
        }
      }
      return all;
    }
    if (predicate instanceof Predicate.Or or) {
      RoaringBitmap any = new RoaringBitmap();
      for (Predicate part : or.parts()) {
        RoaringBitmap rows = selection(part);
        if (rows == null) {
          return null;
        }
        any.or(rows);
      }
      return any;
    }
    return leafSelection((Predicate.Leaf) predicate);
  }

  private @Nullable RoaringBitmap leafSelection(Predicate.Leaf leaf) {
    BitmapIndex index = bitmap(leaf.field());
    if (index == null) {
      return null;
    }
    return switch (leaf.operator()) {
      case EQUAL, IN -> anyOf(index, leaf);
      case NOT_EQUAL, NOT_IN -> {
        RoaringBitmap rows = index.isNotNull();
        rows.andNot(anyOf(index, leaf));
        yield rows;
      }
      case IS_NULL -> index.isNull();
      case IS_NOT_NULL -> index.isNotNull();
      case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, STARTS_WITH -> null;
    };
  }

  private static RoaringBitmap anyOf(BitmapIndex index, Predicate.Leaf leaf) {
    RoaringBitmap rows = new RoaringBitmap();
    leaf.literals().forEach(literal -> rows.or(index.equalTo(literal)));
    return rows;
  }

  private boolean bloomMayMatch(Predicate.Leaf leaf) {
    if (leaf.operator() != Predicate.Operator.EQUAL && leaf.operator() != Predicate.Operator.IN) {
      return true;
    }
    DataField field = fileField.apply(leaf.field());
    if (field == null || !IndexedValue.hasExactEquality(field.type())) {
      return true;
    }
    Bytes body = body(field, FileIndexes.BLOOM_FILTER);
    if (body == null || body.length() == 0 || !BloomFilterIndex.supports(field.type())) {
      return true;
    }
    return filters
        .computeIfAbsent(
            field.name(), name -> Optional.of(BloomFilterIndex.decode(field.type(), body)))
        .map(filter -> leaf.literals().stream().anyMatch(filter::mayContain))
        .orElse(true);
  }

  private @Nullable BitmapIndex bitmap(DataField column) {
    DataField field = fileField.apply(column);
    if (field == null) {
      return null;
    }
    Bytes body = body(field, FileIndexes.BITMAP);
    if (body == null || body.length() == 0) {
      return null;
    }
    return bitmaps
        .computeIfAbsent(
            field.name(), name -> Optional.ofNullable(BitmapIndex.decode(field.type(), body)))
        .orElse(null);
  }

  private @Nullable Bytes body(DataField field, String type) {
    return indexes.columns().getOrDefault(field.name(), Map.of()).get(type);
  }
}
