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

package io.keylake.spark.write.bucket;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.table.bucket.BucketFunction;
import io.keylake.table.options.BucketOptions.Function;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The functions {@code bucket(n, column, ...)}, {@code bucket_mod(n, column)} and {@code
 * bucket_hive(n, column, ...)}: the bucket of a key among n, as writers compute it with the table's
 * {@code bucket-function.type}. Timestamps count with six fraction digits, as Spark has them.
 * Catalogs hand them out; Spark evaluates them to bring rows of a bucket together before a write,
 * and users may call them.
 *
 * @param function how the bucket is computed
 */
public record BucketFunctionBinding(Function function) implements UnboundFunction {
  /** The name of the default function. */
  public static final String NAME = "bucket";

  /** The default function. */
  public BucketFunctionBinding() {
    this(Function.DEFAULT);
  }

  /** The name under which a catalog hands out a function. */
  public static String name(Function function) {
    return switch (function) {
      case DEFAULT -> NAME;
      case MOD -> NAME + "_mod";
      case HIVE -> NAME + "_hive";
    };
  }

  @Override
  public String name() {
    return name(function);
  }

  @Override
  public String description() {
    String columns =
        switch (function) {
          case DEFAULT, HIVE -> "(n, column, ...)";
          case MOD -> "(n, column)";
        };
    return name() + columns + " - the bucket, from 0, that a key of these columns has among n";
  }

  @Override
  public BoundFunction bind(StructType input) {
    if (input.length() < 2 || !(input.fields()[0].dataType() instanceof IntegerType)) {
      throw new UnsupportedOperationException(
          description() + ": needs an INT number of buckets and at least one column");
    }
    List<DataField> columns = new ArrayList<>();
    for (int i = 1; i < input.length(); i++) {
      DataType type = SparkTypes.toFormat("argument " + i, input.fields()[i].dataType());
      if (type.root().isNested()) {
        throw new UnsupportedOperationException(
            description() + ": " + input.fields()[i].dataType().sql() + " is no scalar type");
      }
      columns.add(DataField.of(i, "c" + i, type));
    }
    boolean isOneInteger =
        columns.size() == 1
            && (columns.get(0).type().root() == TypeRoot.INT
                || columns.get(0).type().root() == TypeRoot.BIGINT);
    if (function == Function.MOD && !isOneInteger) {
      throw new UnsupportedOperationException(description() + ": needs one INT or BIGINT column");
    }
    return new Bound(function, input, RowType.of(columns));
  }

  /** The function for columns of certain types. */
  private static final class Bound implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final Function kind;
    private final StructType input;
    private final RowType columns;
    private final BucketFunction function;
    private transient @Nullable UnsafeProjection projection;
    private transient @Nullable BinaryRowAssembler key;

    Bound(Function kind, StructType input, RowType columns) {
      this.kind = kind;
      this.input = input;
      this.columns = columns;
      this.function = BucketFunction.of(kind, columns);
    }

    @Override
    public org.apache.spark.sql.types.DataType[] inputTypes() {
      return Arrays.stream(input.fields())
          .map(field -> field.dataType())
          .toArray(org.apache.spark.sql.types.DataType[]::new);
    }

    @Override
    public org.apache.spark.sql.types.DataType resultType() {
      return DataTypes.IntegerType;
    }

    @Override
    public String name() {
      return BucketFunctionBinding.name(kind);
    }

    @Override
    public String canonicalName() {
      List<String> types = Arrays.stream(inputTypes()).map(type -> type.catalogString()).toList();
      return "keylake." + name() + "(" + String.join(", ", types) + ")";
    }

    @Override
    public String toString() {
      return BucketFunctionBinding.name(kind);
    }

    @Override
    public @Nullable Integer produceResult(InternalRow row) {
      if (row.isNullAt(0)) {
        return null;
      }
      int buckets = row.getInt(0);
      if (buckets < 1) {
        return null;
      }
      UnsafeRow unsafe = row instanceof UnsafeRow same ? same : projection().apply(row);
      BinaryRowAssembler assembler = key();
      assembler.assemble(unsafe.getBaseObject(), unsafe.getBaseOffset());
      return kind == Function.DEFAULT
          ? BucketFunction.ofHash(assembler.hash(), buckets)
          : function.bucket(assembler.toBinaryRow(), buckets);
    }

    private UnsafeProjection projection() {
      UnsafeProjection existing = projection;
      if (existing == null) {
        existing = UnsafeProjection.create(input);
        projection = existing;
      }
      return existing;
    }

    private BinaryRowAssembler key() {
      BinaryRowAssembler existing = key;
      if (existing == null) {
        List<Integer> positions = IntStream.rangeClosed(1, columns.size()).boxed().toList();
        existing = new BinaryRowAssembler(columns, positions, input.length());
        key = existing;
      }
      return existing;
    }
  }
}
