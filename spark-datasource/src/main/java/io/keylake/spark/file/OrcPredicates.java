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
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgument;
import org.apache.hadoop.hive.ql.io.sarg.SearchArgumentFactory;
import org.jspecify.annotations.Nullable;

/**
 * Predicates as ORC's search arguments, for integers, booleans and texts; parts on other types are
 * left out as {@link FilePredicates} leaves out leaves.
 */
final class OrcPredicates {
  /** The reader takes names for paths: dots separate, backticks quote. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[^.`]+");

  private OrcPredicates() {}

  /** The search argument; null when nothing of {@code predicate} can be asked. */
  static @Nullable SearchArgument searchArgument(Predicate predicate) {
    Predicate asked = supported(predicate);
    if (asked == null) {
      return null;
    }
    SearchArgument.Builder builder = SearchArgumentFactory.newBuilder();
    add(asked, builder);
    return builder.build();
  }

  private static @Nullable Predicate supported(Predicate predicate) {
    if (predicate instanceof Predicate.And and) {
      List<Predicate> parts =
          and.parts().stream()
              .flatMap(part -> java.util.stream.Stream.ofNullable(supported(part)))
              .toList();
      return parts.isEmpty() ? null : new Predicate.And(parts);
    } else if (predicate instanceof Predicate.Or or) {
      List<Predicate> parts =
          or.parts().stream()
              .flatMap(part -> java.util.stream.Stream.ofNullable(supported(part)))
              .toList();
      return parts.size() < or.parts().size() ? null : new Predicate.Or(parts);
    } else if (predicate instanceof Predicate.Leaf leaf) {
      boolean asked =
          type(leaf) != null
              && leaf.operator() != Predicate.Operator.STARTS_WITH
              && PLAIN_NAME.matcher(leaf.field().name()).matches();
      return asked ? leaf : null;
    }
    return null;
  }

  private static PredicateLeaf.@Nullable Type type(Predicate.Leaf leaf) {
    return switch (leaf.field().type().root()) {
      case TINYINT, SMALLINT, INT, BIGINT -> PredicateLeaf.Type.LONG;
      case VARCHAR -> PredicateLeaf.Type.STRING;
      case BOOLEAN -> PredicateLeaf.Type.BOOLEAN;
      default -> null;
    };
  }

  private static void add(Predicate predicate, SearchArgument.Builder builder) {
    if (predicate instanceof Predicate.And and) {
      builder.startAnd();
      and.parts().forEach(part -> add(part, builder));
      builder.end();
    } else if (predicate instanceof Predicate.Or or) {
      builder.startOr();
      or.parts().forEach(part -> add(part, builder));
      builder.end();
    } else if (predicate instanceof Predicate.Leaf leaf) {
      addLeaf(leaf, builder);
    }
  }

  private static void addLeaf(Predicate.Leaf leaf, SearchArgument.Builder builder) {
    String name = leaf.field().name();
    PredicateLeaf.Type type = type(leaf);
    Object[] values =
        leaf.literals().stream()
            .map(value -> value instanceof Number number ? (Object) number.longValue() : value)
            .toArray();
    switch (leaf.operator()) {
      case EQUAL -> builder.equals(name, type, values[0]);
      case NOT_EQUAL -> builder.startNot().equals(name, type, values[0]).end();
      case LESS -> builder.lessThan(name, type, values[0]);
      case LESS_OR_EQUAL -> builder.lessThanEquals(name, type, values[0]);
      case GREATER -> builder.startNot().lessThanEquals(name, type, values[0]).end();
      case GREATER_OR_EQUAL -> builder.startNot().lessThan(name, type, values[0]).end();
      case IN -> builder.in(name, type, values);
      case NOT_IN -> builder.startNot().in(name, type, values).end();
      case IS_NULL -> builder.isNull(name, type);
      case IS_NOT_NULL -> builder.startNot().isNull(name, type).end();
      case STARTS_WITH -> throw new IllegalArgumentException("Not supported: " + leaf);
    }
  }
}
