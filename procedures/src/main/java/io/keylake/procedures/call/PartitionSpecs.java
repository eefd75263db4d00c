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

package io.keylake.procedures.call;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.maintenance.PartitionChoice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.util.CharVarcharUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Some;

/**
 * The partitions that text like {@code dt=2024-01-01,hh=1;dt=2024-01-02} names.
 *
 * <ol>
 *   <li>{@code ;} separates partitions, {@code ,} the columns of one; a partition is chosen when
 *       one of them agrees with it in all columns it names, in any order.
 *   <li>A value is cast to the type of its column as Spark casts strings; the text that folders of
 *       NULL have is NULL. Space around names and values does not count.
 * </ol>
 *
 * Pinned by {@code CompactProcedureSparkTest}.
 */
public final class PartitionSpecs implements PartitionChoice {
  private final BinaryRowCodec codec;
  private final List<Map<Integer, Wanted>> specs;

  /** A value that a column must have; null = NULL. */
  private record Wanted(@Nullable Object value) {}

  /** Reads specs one after the other. */
  private record Reader(String table, RowType type, String nullText) {
    List<Map<Integer, Wanted>> read(String text) {
      List<Map<Integer, Wanted>> specs = new ArrayList<>();
      for (String part : text.split(";", -1)) {
        if (!part.isBlank()) {
          specs.add(spec(part));
        }
      }
      if (specs.isEmpty()) {
        throw invalid("the text is empty. Name a partition such as " + example() + ".");
      }
      return specs;
    }

    private Map<Integer, Wanted> spec(String part) {
      Map<Integer, Wanted> columns = new HashMap<>();
      for (String pair : part.split(",", -1)) {
        int sign = pair.indexOf('=');
        if (sign < 0) {
          throw invalid("'" + pair.strip() + "' is no column=value. Write it like " + example());
        }
        int position = position(pair.substring(0, sign).strip());
        Wanted wanted = value(type.field(position), pair.substring(sign + 1).strip());
        if (columns.put(position, wanted) != null) {
          throw invalid("'" + part.strip() + "' names a column twice. Name each column once.");
        }
      }
      return columns;
    }

    private int position(String name) {
      boolean ignoresCase = !SQLConf.get().caseSensitiveAnalysis();
      for (int i = 0; i < type.size(); i++) {
        String column = type.field(i).name();
        if (ignoresCase ? column.equalsIgnoreCase(name) : column.equals(name)) {
          return i;
        }
      }
      throw new InvalidRequestException(
          Condition.KEYLAKE_COLUMN_NOT_FOUND,
          "The table "
              + table
              + " has no partition column '"
              + name
              + "'. Its partition columns: "
              + String.join(", ", type.names())
              + ".");
    }

    private Wanted value(DataField column, String text) {
      if (text.equals(nullText)) {
        return new Wanted(null);
      }
      DataType sparkType =
          CharVarcharUtils.replaceCharVarcharWithString(
              SparkTypes.toSpark(column.name(), column.type()));
      try {
        Object cast =
            Cast$.MODULE$
                .apply(
                    Literal$.MODULE$.create(UTF8String.fromString(text), DataTypes.StringType),
                    sparkType,
                    new Some<>(SQLConf.get().sessionLocalTimeZone()),
                    true)
                .eval(null);
        return new Wanted(PartitionRows.toFormat(cast, column.type()));
      } catch (RuntimeException e) {
        if (e instanceof SparkThrowable) {
          throw invalid(
              "'" + text + "' is no " + sparkType.sql() + ", the type of " + column.name() + ".");
        }
        throw e;
      }
    }

    private String example() {
      return "'" + type.field(0).name() + "=value'";
    }

    private InvalidRequestException invalid(String problem) {
      return new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot choose partitions of " + table + ": " + problem);
    }
  }

  private PartitionSpecs(RowType type, List<Map<Integer, Wanted>> specs) {
    this.codec = BinaryRowCodec.of(type);
    this.specs = specs;
  }

  /**
   * The partitions that {@code text} names.
   *
   * @param table the table's name
   * @param type its partition columns
   * @param nullText what stands for NULL
   * @throws InvalidRequestException when the text makes no sense for the table
   */
  public static PartitionSpecs parse(String table, RowType type, String nullText, String text) {
    if (type.size() == 0) {
      throw unpartitioned(table);
    }
    return new PartitionSpecs(type, new Reader(table, type, nullText).read(text));
  }

  /** The failure for a choice among partitions of a table that has none. */
  public static InvalidRequestException unpartitioned(String table) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_REQUEST,
        "Cannot choose partitions of "
            + table
            + ": the table is not partitioned. Leave partitions, where and partition_idle_time"
            + " out.");
  }

  @Override
  public List<BinaryRow> chosen(Collection<BinaryRow> partitions) {
    return partitions.stream().filter(this::isNamed).toList();
  }

  private boolean isNamed(BinaryRow partition) {
    return specs.stream()
        .anyMatch(
            spec ->
                spec.entrySet().stream()
                    .allMatch(
                        column ->
                            Objects.equals(
                                codec.value(partition, column.getKey()),
                                column.getValue().value())));
  }
}
