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

package io.keylake.spark.read.layout;

import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeParser;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.Reducer;
import org.apache.spark.sql.connector.catalog.functions.ReducibleFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A function of one column that gives a part of the key of a task. Spark compares such functions by
 * their canonical names to find out whether two scans are laid out alike, so the name says all that
 * counts: number of buckets, bucket function, the types of the bucket key as the table has them,
 * and which column of the key the argument is. Users do not see these functions in lists.
 *
 * <p>Example: {@code keylake_bucket$16$default$0$INT} is the bucket of an INT column among 16.
 */
public final class LayoutFunction implements UnboundFunction {
  /** The function that gives 0 for every value. */
  static final String ANY_NAME = "keylake_any";

  private static final String BUCKET_PREFIX = "keylake_bucket$";

  private final String name;
  private final @Nullable BucketPart part;

  private LayoutFunction(String name, @Nullable BucketPart part) {
    this.name = name;
    this.part = part;
  }

  /** The name of the function of the column at {@code position} of a bucket key. */
  static String nameOf(BucketKey key, int buckets, int position) {
    return BUCKET_PREFIX
        + buckets
        + "$"
        + key.function().name().toLowerCase(Locale.ROOT)
        + "$"
        + position
        + "$"
        + String.join(";", key.types());
  }

  /** The function of this name; empty when it names none. */
  public static Optional<UnboundFunction> find(String name) {
    if (name.equals(ANY_NAME)) {
      return Optional.of(new LayoutFunction(name, null));
    }
    return BucketPart.parse(name).map(part -> new LayoutFunction(name, part));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return name + "(column) - a part of the key by which the rows of a table are spread";
  }

  @Override
  public BoundFunction bind(StructType input) {
    if (input.length() != 1) {
      throw new UnsupportedOperationException(name + " has one argument, not " + input.length());
    }
    DataType type = input.fields()[0].dataType();
    if (part == null) {
      return new Any(type);
    }
    return part.types.size() == 1 ? new Bucket(part, type) : new Part(part, type);
  }

  /**
   * What the name of a function says.
   *
   * @param buckets number of buckets
   * @param function how the bucket is computed
   * @param position of the argument among the columns of the key
   * @param types of the columns
   */
  private record BucketPart(
      int buckets, BucketOptions.Function function, int position, List<String> types)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    static Optional<BucketPart> parse(String name) {
      String[] fields = name.split("\\$", -1);
      if (!name.startsWith(BUCKET_PREFIX) || fields.length != 5) {
        return Optional.empty();
      }
      try {
        return Optional.of(
            new BucketPart(
                Integer.parseInt(fields[1]),
                BucketOptions.Function.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                Integer.parseInt(fields[3]),
                List.of(fields[4].split(";"))));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    String canonicalName(DataType argument) {
      return "keylake.bucket("
          + buckets
          + ", "
          + function
          + ", column "
          + position
          + " of "
          + types
          + " as "
          + argument.catalogString()
          + ")";
    }

    boolean isOfSameKey(BucketPart other) {
      return function == other.function && position == other.position && types.equals(other.types);
    }
  }

  /** A function of one column whose value is an INT. */
  private abstract static class OneColumn implements BoundFunction {
    private static final long serialVersionUID = 1L;

    private final DataType argument;

    OneColumn(DataType argument) {
      this.argument = argument;
    }

    DataType argument() {
      return argument;
    }

    @Override
    public DataType[] inputTypes() {
      return new DataType[] {argument};
    }

    @Override
    public DataType resultType() {
      return DataTypes.IntegerType;
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Gives 0 for every value. */
  private static final class Any extends OneColumn implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    Any(DataType argument) {
      super(argument);
    }

    @Override
    public String name() {
      return "any";
    }

    @Override
    public String canonicalName() {
      return "keylake.any(" + argument().catalogString() + ")";
    }

    @Override
    public Integer produceResult(InternalRow row) {
      return 0;
    }
  }

  /** One column's part in a bucket that follows from several columns only: is never computed. */
  private static final class Part extends OneColumn {
    private static final long serialVersionUID = 1L;

    private final BucketPart part;

    Part(BucketPart part, DataType argument) {
      super(argument);
      this.part = part;
    }

    @Override
    public String name() {
      return "bucket_part";
    }

    @Override
    public String canonicalName() {
      return part.canonicalName(argument());
    }
  }

  /** The bucket of a column's value. */
  private static final class Bucket extends OneColumn
      implements ScalarFunction<Integer>, ReducibleFunction<Integer, Integer> {
    private static final long serialVersionUID = 1L;

    private final BucketPart part;
    private final BucketFunction function;
    private final RowType key;
    private final StructType input;
    private transient @Nullable UnsafeProjection projection;
    private transient @Nullable BinaryRowAssembler assembler;

    Bucket(BucketPart part, DataType argument) {
      super(argument);
      AtomicType type = TypeParser.parse(part.types.get(0));
      this.part = part;
      this.key = RowType.of(List.of(DataField.of(0, "c", type)));
      this.function = BucketFunction.of(part.function, key);
      this.input = new StructType().add("c", argument);
    }

    @Override
    public String name() {
      return "bucket";
    }

    @Override
    public String canonicalName() {
      return part.canonicalName(argument());
    }

    @Override
    public Integer produceResult(InternalRow row) {
      UnsafeProjection toUnsafe = projection;
      BinaryRowAssembler assemble = assembler;
      if (toUnsafe == null || assemble == null) {
        toUnsafe = UnsafeProjection.create(input);
        assemble = new BinaryRowAssembler(key, List.of(0), 1);
        projection = toUnsafe;
        assembler = assemble;
      }
      UnsafeRow unsafe = toUnsafe.apply(row);
      assemble.assemble(unsafe.getBaseObject(), unsafe.getBaseOffset());
      return function.bucket(assemble.toBinaryRow(), part.buckets);
    }

    /** From buckets to those of the greatest common divisor, when it is smaller. */
    @Override
    public @Nullable Reducer<Integer, Integer> reducer(ReducibleFunction<?, ?> other) {
      if (!(other instanceof Bucket that) || !part.isOfSameKey(that.part)) {
        return null;
      }
      if (!Arrays.equals(inputTypes(), that.inputTypes())) {
        return null;
      }
      int common =
          BigInteger.valueOf(part.buckets).gcd(BigInteger.valueOf(that.part.buckets)).intValue();
      return common == 1 || common == part.buckets ? null : new Remainder(common);
    }
  }

  /**
   * The bucket among fewer.
   *
   * @param buckets number of buckets, a divisor of the original number
   */
  private record Remainder(int buckets) implements Reducer<Integer, Integer> {
    @Override
    public Integer reduce(Integer bucket) {
      return bucket % buckets;
    }

    @Override
    public DataType resultType() {
      return DataTypes.IntegerType;
    }

    @Override
    public String displayName() {
      return "remainder(" + buckets + ")";
    }
  }
}
