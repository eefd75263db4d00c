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

package io.keylake.format.predicate;

import io.keylake.format.predicate.Predicate.Leaf;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.types.DataField;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes predicates in a simple form: an AND has no AND among its parts and an OR no OR, no part
 * occurs twice, none has a single part, and an IN of one value is an equality.
 */
public final class Predicates {
  private Predicates() {}

  /** All of {@code parts}; empty when there are none, since then every row is selected. */
  public static Optional<Predicate> and(Collection<? extends Predicate> parts) {
    List<Predicate> flat = conjuncts(parts);
    return switch (flat.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(flat.get(0));
      default -> Optional.of(new Predicate.And(flat));
    };
  }

  /** Both parts. */
  public static Predicate and(Predicate left, Predicate right) {
    return and(List.of(left, right)).orElseThrow();
  }

  /** One of {@code parts}, of which there must be at least one. */
  public static Predicate or(Collection<? extends Predicate> parts) {
    Set<Predicate> flat = new LinkedHashSet<>();
    for (Predicate part : parts) {
      if (part instanceof Predicate.Or or) {
        flat.addAll(disjuncts(or));
      } else {
        flat.add(part);
      }
    }
    if (flat.isEmpty()) {
      throw new IllegalArgumentException("An OR needs a part");
    }
    return flat.size() == 1 ? flat.iterator().next() : new Predicate.Or(new ArrayList<>(flat));
  }

  /** One of both parts. */
  public static Predicate or(Predicate left, Predicate right) {
    return or(List.of(left, right));
  }

  private static List<Predicate> disjuncts(Predicate.Or or) {
    List<Predicate> flat = new ArrayList<>();
    for (Predicate part : or.parts()) {
      if (part instanceof Predicate.Or inner) {
        flat.addAll(disjuncts(inner));
      } else {
        flat.add(part);
      }
    }
    return flat;
  }

  /** The parts that must all be true, with nested ANDs opened. */
  public static List<Predicate> conjuncts(Collection<? extends Predicate> parts) {
    Set<Predicate> flat = new LinkedHashSet<>();
    for (Predicate part : parts) {
      if (part instanceof Predicate.And and) {
        flat.addAll(conjuncts(and.parts()));
      } else {
        flat.add(part);
      }
    }
    return List.copyOf(flat);
  }

  /** A comparison with one value; not for IN, NOT_IN and the null tests. */
  public static Predicate compare(DataField field, Operator operator, Object literal) {
    return new Leaf(field, operator, List.of(literal));
  }

  /** {@code field = literal}. */
  public static Predicate equal(DataField field, Object literal) {
    return compare(field, Operator.EQUAL, literal);
  }

  /** {@code field IN (literals)}, of which there must be at least one. */
  public static Predicate in(DataField field, Collection<?> literals) {
    return list(field, literals, Operator.IN, Operator.EQUAL);
  }

  /** {@code field NOT IN (literals)}, of which there must be at least one. */
  public static Predicate notIn(DataField field, Collection<?> literals) {
    return list(field, literals, Operator.NOT_IN, Operator.NOT_EQUAL);
  }

  private static Predicate list(
      DataField field, Collection<?> literals, Operator many, Operator one) {
    List<Object> distinct = new ArrayList<>(new LinkedHashSet<>(literals));
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException(many + " needs a value");
    }
    return new Leaf(field, distinct.size() == 1 ? one : many, distinct);
  }

  /** {@code field IS NULL}. */
  public static Predicate isNull(DataField field) {
    return new Leaf(field, Operator.IS_NULL, List.of());
  }

  /** {@code field IS NOT NULL}. */
  public static Predicate isNotNull(DataField field) {
    return new Leaf(field, Operator.IS_NOT_NULL, List.of());
  }

  /** {@code field LIKE 'prefix%'}. */
  public static Predicate startsWith(DataField field, String prefix) {
    return compare(field, Operator.STARTS_WITH, prefix);
  }

  /** The ids of the columns that a predicate asks about, ascending. */
  public static Set<Integer> fieldIds(Predicate predicate) {
    Set<Integer> ids = new TreeSet<>();
    leaves(predicate).forEach(leaf -> ids.add(leaf.field().id()));
    return ids;
  }

  /** All comparisons in a predicate, from left to right. */
  public static List<Leaf> leaves(Predicate predicate) {
    if (predicate instanceof Leaf leaf) {
      return List.of(leaf);
    }
    return parts(predicate).stream().flatMap(part -> leaves(part).stream()).toList();
  }

  /** The parts of an AND or OR; none for a comparison. */
  static List<Predicate> parts(Predicate predicate) {
    if (predicate instanceof Predicate.And and) {
      return and.parts();
    }
    return predicate instanceof Predicate.Or or ? or.parts() : List.of();
  }
}
