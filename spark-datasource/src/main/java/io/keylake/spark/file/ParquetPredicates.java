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
import io.keylake.format.row.Bytes;
import io.keylake.format.row.Timestamp;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.filter2.predicate.SparkFilterApi;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Predicates as Parquet's row-group and page filters take them, made for the columns that a file
 * really has. What has no exact form there is left out, as {@link FilePredicates} leaves out
 * leaves. Left out are: CHAR (padding decides equality), INT96, wide decimals, floating-point
 * equality with zero (Parquet tells -0.0 from 0.0), timestamps that the stored unit cannot hold.
 */
final class ParquetPredicates {
  private final MessageType schema;

  ParquetPredicates(MessageType schema) {
    this.schema = schema;
  }

  /** The filter; null when nothing of {@code predicate} can be asked. */
  @Nullable FilterPredicate filter(Predicate predicate) {
    if (predicate instanceof Predicate.And and) {
      FilterPredicate all = null;
      for (Predicate part : and.parts()) {
        FilterPredicate filter = filter(part);
        if (filter != null) {
          all = all == null ? filter : FilterApi.and(all, filter);
        }
      }
      return all;
    } else if (predicate instanceof Predicate.Or or) {
      FilterPredicate any = null;
      for (Predicate part : or.parts()) {
        FilterPredicate filter = filter(part);
        if (filter == null) {
          return null;
        }
        any = any == null ? filter : FilterApi.or(any, filter);
      }
      return any;
    } else if (predicate instanceof Predicate.Leaf leaf) {
      return leaf(leaf);
    }
    return null;
  }

  private @Nullable FilterPredicate leaf(Predicate.Leaf leaf) {
    String name = leaf.field().name();
    if (!schema.containsField(name)) {
      return null;
    }
    Type type = schema.getType(name);
    if (!type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
      return null;
    }
    PrimitiveType primitive = type.asPrimitiveType();
    return switch (leaf.field().type().root()) {
      case BOOLEAN -> bool(leaf, name, primitive);
      case TINYINT, SMALLINT, INT, DATE, TIME, BIGINT, TIMESTAMP, TIMESTAMP_LTZ, DECIMAL ->
          integer(leaf, name, primitive);
      case FLOAT, DOUBLE -> floating(leaf, name, primitive);
      case VARCHAR, VARBINARY -> bytes(leaf, name, primitive);
      case CHAR, BINARY, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR -> null;
    };
  }

  private static @Nullable FilterPredicate bool(
      Predicate.Leaf leaf, String name, PrimitiveType type) {
    if (type.getPrimitiveTypeName() != PrimitiveType.PrimitiveTypeName.BOOLEAN) {
      return null;
    }
    Operators.BooleanColumn column = SparkFilterApi.booleanColumn(new String[] {name});
    List<Boolean> values = literals(leaf, literal -> (Boolean) literal);
    return switch (leaf.operator()) {
      case EQUAL -> FilterApi.eq(column, values.get(0));
      case NOT_EQUAL -> FilterApi.notEq(column, values.get(0));
      case IN -> FilterApi.in(column, set(values));
      case NOT_IN -> FilterApi.notIn(column, set(values));
      case IS_NULL -> FilterApi.eq(column, null);
      case IS_NOT_NULL -> FilterApi.notEq(column, null);
      case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, STARTS_WITH -> null;
    };
  }

  private static @Nullable FilterPredicate integer(
      Predicate.Leaf leaf, String name, PrimitiveType type) {
    List<Long> stored = new ArrayList<>();
    for (Object literal : leaf.literals()) {
      Long value = stored(literal, type);
      if (value == null) {
        return null;
      }
      stored.add(value);
    }
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> {
        if (!stored.stream().allMatch(value -> value == value.intValue())) {
          yield null;
        }
        yield compare(
            leaf,
            SparkFilterApi.intColumn(new String[] {name}),
            stored.stream().map(Long::intValue).toList());
      }
      case INT64 -> compare(leaf, SparkFilterApi.longColumn(new String[] {name}), stored);
      default -> null;
    };
  }

  /** The number that the file stores for {@code literal}; null when it cannot store it. */
  private static @Nullable Long stored(Object literal, PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    if (literal instanceof Timestamp timestamp) {
      if (!(annotation instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation stored)) {
        return null;
      }
      return switch (stored.getUnit()) {
        case MILLIS -> timestamp.nanoOfMilli() == 0 ? timestamp.millis() : null;
        case MICROS -> timestamp.nanoOfMilli() % 1000 == 0 ? timestamp.toMicros() : null;
        case NANOS -> null;
      };
    } else if (literal instanceof BigDecimal decimal) {
      boolean sameScale =
          annotation instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation stored
              && stored.getScale() == decimal.scale();
      return sameScale && decimal.precision() <= 18 ? decimal.unscaledValue().longValue() : null;
    }
    return literal instanceof Number number ? number.longValue() : null;
  }

  private static @Nullable FilterPredicate floating(
      Predicate.Leaf leaf, String name, PrimitiveType type) {
    for (Object literal : leaf.literals()) {
      double value = ((Number) literal).doubleValue();
      if (value == 0 || Double.isNaN(value)) {
        return null;
      }
    }
    return switch (type.getPrimitiveTypeName()) {
      case FLOAT ->
          compare(
              leaf,
              SparkFilterApi.floatColumn(new String[] {name}),
              literals(leaf, l -> ((Number) l).floatValue()));
      case DOUBLE ->
          compare(
              leaf,
              SparkFilterApi.doubleColumn(new String[] {name}),
              literals(leaf, l -> ((Number) l).doubleValue()));
      default -> null;
    };
  }

  private static @Nullable FilterPredicate bytes(
      Predicate.Leaf leaf, String name, PrimitiveType type) {
    if (type.getPrimitiveTypeName() != PrimitiveType.PrimitiveTypeName.BINARY) {
      return null;
    }
    List<Binary> values = literals(leaf, ParquetPredicates::binary);
    Operators.BinaryColumn column = SparkFilterApi.binaryColumn(new String[] {name});
    if (leaf.operator() == Predicate.Operator.STARTS_WITH) {
      return startsWith(column, values.get(0));
    }
    return compare(leaf, column, values);
  }

  private static Binary binary(Object literal) {
    byte[] bytes =
        literal instanceof Bytes content
            ? content.toArray()
            : literal.toString().getBytes(StandardCharsets.UTF_8);
    return Binary.fromConstantByteArray(bytes);
  }

  /** From the prefix on, and below the prefix with its last byte that can be raised raised. */
  private static FilterPredicate startsWith(Operators.BinaryColumn column, Binary prefix) {
    FilterPredicate from = FilterApi.gtEq(column, prefix);
    byte[] next = prefix.getBytes().clone();
    int end = next.length;
    while (end > 0 && next[end - 1] == (byte) 0xFF) {
      end--;
    }
    if (end == 0) {
      return from;
    }
    byte[] bound = Arrays.copyOf(next, end);
    bound[end - 1]++;
    return FilterApi.and(from, FilterApi.lt(column, Binary.fromConstantByteArray(bound)));
  }

  private static <T extends Comparable<T>, C extends Operators.Column<T> & Operators.SupportsLtGt>
      @Nullable FilterPredicate compare(Predicate.Leaf leaf, C column, List<T> values) {
    return switch (leaf.operator()) {
      case EQUAL -> FilterApi.eq(column, values.get(0));
      case NOT_EQUAL -> FilterApi.notEq(column, values.get(0));
      case LESS -> FilterApi.lt(column, values.get(0));
      case LESS_OR_EQUAL -> FilterApi.ltEq(column, values.get(0));
      case GREATER -> FilterApi.gt(column, values.get(0));
      case GREATER_OR_EQUAL -> FilterApi.gtEq(column, values.get(0));
      case IN -> FilterApi.in(column, set(values));
      case NOT_IN -> FilterApi.notIn(column, set(values));
      case IS_NULL -> FilterApi.eq(column, null);
      case IS_NOT_NULL -> FilterApi.notEq(column, null);
      case STARTS_WITH -> null;
    };
  }

  private static <T> List<T> literals(Predicate.Leaf leaf, Function<Object, T> convert) {
    return leaf.literals().stream().map(convert).toList();
  }

  private static <T> Set<T> set(List<T> values) {
    return new HashSet<>(values);
  }
}
