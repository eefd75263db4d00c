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

import static io.keylake.format.types.TypeRoot.BIGINT;
import static io.keylake.format.types.TypeRoot.BINARY;
import static io.keylake.format.types.TypeRoot.BOOLEAN;
import static io.keylake.format.types.TypeRoot.CHAR;
import static io.keylake.format.types.TypeRoot.DATE;
import static io.keylake.format.types.TypeRoot.DECIMAL;
import static io.keylake.format.types.TypeRoot.DOUBLE;
import static io.keylake.format.types.TypeRoot.FLOAT;
import static io.keylake.format.types.TypeRoot.INT;
import static io.keylake.format.types.TypeRoot.SMALLINT;
import static io.keylake.format.types.TypeRoot.TIME;
import static io.keylake.format.types.TypeRoot.TIMESTAMP;
import static io.keylake.format.types.TypeRoot.TIMESTAMP_LTZ;
import static io.keylake.format.types.TypeRoot.TINYINT;
import static io.keylake.format.types.TypeRoot.VARBINARY;
import static io.keylake.format.types.TypeRoot.VARCHAR;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeRoot;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which column types can be changed into which others, and which changes keep values in order.
 *
 * <ol>
 *   <li>The same kind with another length, precision or scale is always castable.
 *   <li>Between kinds the tables below decide. Example: INT to BIGINT is implicit, INT to STRING is
 *       explicit, INT to DATE is impossible.
 *   <li>Dates, times and timestamps turn into STRING, but not into text of limited length.
 *   <li>Arrays, maps and rows turn into text only; their parts are changed by path.
 * </ol>
 *
 * Rule source: table format, evolution (castability, measured on release 1.4.2). Pinned by {@code
 * TypeCastsTest}.
 */
public final class TypeCasts {
  /** Whether and how one type becomes another. */
  public enum Castability {
    /** Even where only implicit casts are allowed. */
    IMPLICIT,
    /** Unless the table forbids explicit casts. */
    EXPLICIT,
    IMPOSSIBLE
  }

  private static final Map<TypeRoot, Set<TypeRoot>> IMPLICIT = new EnumMap<>(TypeRoot.class);
  private static final Map<TypeRoot, Set<TypeRoot>> EXPLICIT = new EnumMap<>(TypeRoot.class);

  static {
    implicit(TINYINT, EnumSet.of(SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL));
    implicit(SMALLINT, EnumSet.of(INT, BIGINT, FLOAT, DOUBLE, DECIMAL));
    implicit(INT, EnumSet.of(BIGINT, FLOAT, DOUBLE, DECIMAL));
    implicit(BIGINT, EnumSet.of(FLOAT, DOUBLE, DECIMAL));
    implicit(FLOAT, EnumSet.of(DOUBLE, DECIMAL));
    implicit(DOUBLE, EnumSet.of(DECIMAL));
    implicit(DECIMAL, EnumSet.of(FLOAT, DOUBLE));
    implicit(CHAR, EnumSet.of(VARCHAR));
    implicit(BINARY, EnumSet.of(VARBINARY));
    implicit(TIMESTAMP, EnumSet.of(DATE, TIME, TIMESTAMP_LTZ));
    implicit(TIMESTAMP_LTZ, EnumSet.of(TIMESTAMP));

    Set<TypeRoot> text = EnumSet.of(CHAR, VARCHAR);
    Set<TypeRoot> integers = EnumSet.of(TINYINT, SMALLINT, INT, BIGINT);
    Set<TypeRoot> timestamps = EnumSet.of(TIMESTAMP, TIMESTAMP_LTZ);
    Set<TypeRoot> fromText =
        EnumSet.of(BOOLEAN, FLOAT, DOUBLE, DECIMAL, BINARY, VARBINARY, DATE, TIME);
    fromText.addAll(integers);
    fromText.addAll(timestamps);

    explicit(BOOLEAN, EnumSet.of(FLOAT, DOUBLE, DECIMAL), integers, text);
    explicit(TINYINT, EnumSet.of(BOOLEAN), text);
    explicit(SMALLINT, EnumSet.of(BOOLEAN, TINYINT), text);
    explicit(INT, EnumSet.of(BOOLEAN, TINYINT, SMALLINT), text, timestamps);
    explicit(BIGINT, EnumSet.of(BOOLEAN, TINYINT, SMALLINT, INT), text, timestamps);
    explicit(FLOAT, integers, text);
    explicit(DOUBLE, EnumSet.of(FLOAT), integers, text);
    explicit(DECIMAL, integers, text);
    explicit(CHAR, fromText);
    explicit(VARCHAR, EnumSet.of(CHAR), fromText);
    explicit(BINARY, text);
    explicit(VARBINARY, EnumSet.of(BINARY), text);
    explicit(DATE, timestamps);
    explicit(TIME, timestamps);
    explicit(TIMESTAMP, EnumSet.of(INT, BIGINT));
    explicit(TIMESTAMP_LTZ, EnumSet.of(INT, BIGINT, DATE, TIME));
    explicit(TypeRoot.ARRAY, text);
    explicit(TypeRoot.MAP, text);
    explicit(TypeRoot.ROW, text);
  }

  private TypeCasts() {}

  private static void implicit(TypeRoot from, Set<TypeRoot> to) {
    IMPLICIT.put(from, to);
  }

  @SafeVarargs
  private static void explicit(TypeRoot from, Set<TypeRoot>... to) {
    Set<TypeRoot> all = EnumSet.noneOf(TypeRoot.class);
    for (Set<TypeRoot> some : to) {
      all.addAll(some);
    }
    EXPLICIT.put(from, all);
  }

  /** Whether values of {@code from} become values of {@code to}; nullability plays no part. */
  public static Castability of(DataType from, DataType to) {
    if (from.asNullable().equals(to.asNullable())) {
      return Castability.IMPLICIT;
    }
    if (from.root() == to.root()) {
      return from.root().isNested() ? Castability.IMPOSSIBLE : Castability.IMPLICIT;
    }
    if (IMPLICIT.getOrDefault(from.root(), Set.of()).contains(to.root())) {
      return Castability.IMPLICIT;
    }
    return EXPLICIT.getOrDefault(from.root(), Set.of()).contains(to.root())
            || isTemporal(from.root()) && to.asNullable().equals(DataTypes.STRING)
        ? Castability.EXPLICIT
        : Castability.IMPOSSIBLE;
  }

  private static boolean isTemporal(TypeRoot root) {
    return root == DATE || root == TIME || root == TIMESTAMP || root == TIMESTAMP_LTZ;
  }

  /**
   * Whether the cast keeps different values different and in order, so that what was sorted or
   * bounded stays so. Example: INT to BIGINT does, INT to STRING (9 before 10) and BIGINT to DOUBLE
   * (rounding) do not.
   */
  public static boolean keepOrder(DataType from, DataType to) {
    if (from.asNullable().equals(to.asNullable())) {
      return true;
    }
    if (!(from instanceof AtomicType source) || !(to instanceof AtomicType target)) {
      return false;
    }
    return switch (target.root()) {
      case SMALLINT, INT, BIGINT ->
          integerDigits(source) > 0 && integerDigits(source) <= integerDigits(target);
      case FLOAT -> source.root() == TINYINT || source.root() == SMALLINT;
      case DOUBLE -> source.root() == FLOAT || integerDigits(source) > 0 && source.root() != BIGINT;
      case DECIMAL -> keepsOrderAsDecimal(source, target);
      case VARCHAR -> isOneOf(source, CHAR, VARCHAR) && source.precision() <= target.precision();
      case VARBINARY ->
          isOneOf(source, BINARY, VARBINARY) && source.precision() <= target.precision();
      case TIME, TIMESTAMP, TIMESTAMP_LTZ ->
          source.root() == target.root() && source.precision() <= target.precision();
      case BOOLEAN, TINYINT, CHAR, BINARY, DATE, VARIANT, BLOB, ARRAY, MAP, MULTISET, ROW, VECTOR ->
          false;
    };
  }

  private static boolean keepsOrderAsDecimal(AtomicType source, AtomicType target) {
    int targetDigits = target.precision() - target.scale();
    return source.root() == DECIMAL
        ? source.scale() <= target.scale() && source.precision() - source.scale() <= targetDigits
        : integerDigits(source) > 0 && integerDigits(source) <= targetDigits;
  }

  /** Decimal digits that hold every value of an integer type; 0 for other types. */
  private static int integerDigits(AtomicType type) {
    return switch (type.root()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INT -> 10;
      case BIGINT -> 19;
      default -> 0;
    };
  }

  private static boolean isOneOf(AtomicType type, TypeRoot first, TypeRoot second) {
    return type.root() == first || type.root() == second;
  }
}
