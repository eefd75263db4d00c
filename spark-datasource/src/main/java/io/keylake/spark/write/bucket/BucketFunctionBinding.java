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
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.encode.BinaryRowAssembler;
import io.keylake.table.bucket.BucketFunction;
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
 * The function {@code bucket(n, column, ...)}: the bucket of a key among n, as writers compute it
 * with the default bucket function. Timestamps count with six fraction digits, as Spark has them.
 * Catalogs hand it out; Spark evaluates it to bring rows of a bucket together before a write, and
 * users may call it.
 */
public final class BucketFunctionBinding implements UnboundFunction {
  /** The function's name. */
  public static final String NAME = "bucket";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return NAME + "(n, column, ...) - the bucket, from 0, that a key of these columns has among n";
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
    return new Bound(input, RowType.of(columns));
  }

  /** The function for columns of certain types. */
  private static final class Bound implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final StructType input;
    private final RowType columns;
    private transient @Nullable UnsafeProjection projection;
    private transient @Nullable BinaryRowAssembler key;

    Bound(StructType input, RowType columns) {
      this.input = input;
      this.columns = columns;
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
      return NAME;
    }

    @Override
    public String canonicalName() {
      List<String> types = Arrays.stream(inputTypes()).map(type -> type.catalogString()).toList();
      return "keylake." + NAME + "(" + String.join(", ", types) + ")";
    }

    @Override
    public String toString() {
      return NAME;
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
      return BucketFunction.ofHash(assembler.hash(), buckets);
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
