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

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.PartitionRows;
import io.keylake.spark.convert.SparkTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Answers COUNT, MIN and MAX, for the whole table or by partition columns, from what manifests say,
 * if that is exact:
 *
 * <ol>
 *   <li>no file needs merging, and no row is left out by a condition that Spark still evaluates;
 *   <li>COUNT(column), MIN and MAX need statistics of the column in every file and no deletion
 *       vectors, unless it is a partition column;
 *   <li>MIN and MAX are exact for whole numbers, DECIMAL, DATE, BOOLEAN and timestamps. Text may be
 *       truncated in statistics, and NaN is not in those of FLOAT and DOUBLE.
 * </ol>
 *
 * Pinned by {@code PushDownSparkTest}.
 */
final class AggregatePushDown {
  private final ReadPlanner planner;
  private final ScanFilters filters;

  AggregatePushDown(ReadPlanner planner, ScanFilters filters) {
    this.planner = planner;
    this.filters = filters;
  }

  /** A scan of the results; empty when they cannot be known without reading data. */
  Optional<Scan> answer(Aggregation aggregation) {
    if (!filters.residual().isEmpty()) {
      return Optional.empty();
    }
    TableSchema schema = planner.target().schema();
    List<DataField> groups = new ArrayList<>();
    for (Expression expression : aggregation.groupByExpressions()) {
      DataField column = partitionColumn(schema, expression);
      if (column == null) {
        return Optional.empty();
      }
      groups.add(column);
    }
    List<Answer> answers = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      Answer answer = answer(schema, function);
      if (answer == null) {
        return Optional.empty();
      }
      answers.add(answer);
    }
    return planner.storedFiles(filters).flatMap(files -> answer(schema, groups, answers, files));
  }

  private static @Nullable DataField partitionColumn(TableSchema schema, Expression expression) {
    DataField column = column(schema, expression);
    return column != null && schema.partitionKeys().contains(column.name()) ? column : null;
  }

  private static @Nullable DataField column(TableSchema schema, Expression expression) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? schema.rowType().field(reference.fieldNames()[0]).orElse(null)
        : null;
  }

  private @Nullable Answer answer(TableSchema schema, AggregateFunc function) {
    if (function instanceof CountStar) {
      return new Answer.Rows();
    }
    Expression[] arguments = function.children();
    DataField column = arguments.length == 1 ? column(schema, arguments[0]) : null;
    if (column == null) {
      return null;
    }
    if (function instanceof Count count && !count.isDistinct()) {
      return new Answer.Values(column);
    }
    if (function instanceof Min || function instanceof Max) {
      Answer.Extreme.Side side =
          function instanceof Min ? Answer.Extreme.Side.LOWEST : Answer.Extreme.Side.HIGHEST;
      boolean exact =
          schema.partitionKeys().contains(column.name())
              || FileValues.hasExactBounds(column.type());
      return exact ? new Answer.Extreme(column, side) : null;
    }
    return null;
  }

  private Optional<Scan> answer(
      TableSchema schema, List<DataField> groups, List<Answer> answers, List<StoredFile> files) {
    RowType partition = schema.partitionType();
    BinaryRowCodec codec = BinaryRowCodec.of(partition);
    Map<List<@Nullable Object>, List<StoredFile>> grouped = new LinkedHashMap<>();
    if (groups.isEmpty()) {
      grouped.put(List.of(), new ArrayList<>());
    }
    for (StoredFile file : files) {
      if (file.rows() > 0) {
        List<@Nullable Object> key = values(codec, partition, groups, file.partition());
        grouped.computeIfAbsent(key, unused -> new ArrayList<>()).add(file);
      }
    }
    List<InternalRow> rows = new ArrayList<>();
    FileValues values = new FileValues(planner);
    for (Map.Entry<List<@Nullable Object>, List<StoredFile>> group : grouped.entrySet()) {
      List<@Nullable Object> row = new ArrayList<>();
      group.getKey().forEach(value -> row.add(PartitionRows.toSpark(value)));
      for (Answer answer : answers) {
        Optional<Answer.Result> result = answer.of(group.getValue(), values);
        if (result.isEmpty()) {
          return Optional.empty();
        }
        row.add(PartitionRows.toSpark(result.get().value()));
      }
      rows.add(new GenericInternalRow(row.toArray()));
    }
    return Optional.of(new Answered(output(groups, answers), rows, describe(answers)));
  }

  private static List<@Nullable Object> values(
      BinaryRowCodec codec, RowType partition, List<DataField> columns, BinaryRow row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (DataField column : columns) {
      values.add(codec.value(row, partition.indexOfId(column.id())));
    }
    return values;
  }

  private static StructType output(List<DataField> groups, List<Answer> answers) {
    List<StructField> fields = new ArrayList<>();
    for (DataField group : groups) {
      fields.add(field(group.name(), SparkTypes.toSpark(group.name(), group.type())));
    }
    for (Answer answer : answers) {
      fields.add(
          field(
              answer.name(),
              answer.column() == null
                  ? DataTypes.LongType
                  : SparkTypes.toSpark(answer.column().name(), answer.column().type())));
    }
    return new StructType(fields.toArray(StructField[]::new));
  }

  private static StructField field(String name, org.apache.spark.sql.types.DataType type) {
    return new StructField(name, type, true, Metadata.empty());
  }

  private String describe(List<Answer> answers) {
    return planner.target().describe()
        + ", from manifests: "
        + Arrays.toString(answers.stream().map(Answer::name).toArray())
        + ", "
        + filters.describe();
  }

  private record Answered(StructType readSchema, List<InternalRow> results, String description)
      implements LocalScan {
    @Override
    public InternalRow[] rows() {
      return results.toArray(InternalRow[]::new);
    }
  }
}
