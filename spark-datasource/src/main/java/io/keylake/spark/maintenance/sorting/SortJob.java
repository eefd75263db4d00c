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

package io.keylake.spark.maintenance.sorting;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.spark.compaction.AppendRows;
import io.keylake.spark.compaction.StepResult;
import io.keylake.spark.conf.TaskConfiguration;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.maintenance.JobFiles;
import io.keylake.spark.maintenance.PlanJob;
import io.keylake.spark.maintenance.TaskJob;
import io.keylake.spark.maintenance.sorting.SortSampler.Weight;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.compaction.CompactionPlan;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.clustering.RangeStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Sorts the rows of partitions of an append table and writes them into new files.
 *
 * <ol>
 *   <li>A first job samples rows. Only the columns of the order are read, unless ranges are to have
 *       equal bytes and rows differ in size.
 *   <li>The sample decides the ranges ({@link KeyLayout}), of about a file's target size each.
 *   <li>A second job reads the files as of the plans' snapshot, shuffles rows to their ranges,
 *       sorts each and writes it.
 * </ol>
 *
 * Lives on the driver, for one thread. Pinned by {@code SortCompactionSparkTest}.
 */
public final class SortJob implements PlanJob {
  /** New files are a little smaller than the target, so that no range ends in a tiny file. */
  private static final double FILE_FILL = 0.9;

  /** Sampled rows that the driver holds. */
  private static final int MOST_SAMPLES = 200_000;

  /** A task that reads little takes at least so many rows. */
  private static final int FEWEST_SAMPLES = 100;

  private static final String NUMBER = "number";

  private final SparkSession session;
  private final JobFiles files;
  private final RowOrder order;
  private final TableOptions options;
  private final List<CompactionPlan> plans;

  /**
   * A job.
   *
   * @param options of the table, with those of the call over them
   * @param plans one step each, with all files of a partition
   */
  public SortJob(
      SparkSession session,
      JobFiles files,
      RowOrder order,
      TableOptions options,
      List<CompactionPlan> plans) {
    this.session = session;
    this.files = files;
    this.order = order;
    this.options = options;
    this.plans = List.copyOf(plans);
  }

  @Override
  public List<List<StepResult>> run() {
    List<SortInput> inputs = SortInput.of(plans, session.sparkContext().defaultParallelism());
    List<DataType> types =
        order.columns().stream()
            .map(column -> SparkTypes.toSpark(column.name(), column.type()))
            .toList();
    KeyLayout layout = KeyLayout.of(order.strategy(), types, sample(inputs), shares());
    RDD<InternalRow> sorted = sorted(inputs, layout);
    List<List<SortWriter.Written>> written =
        TaskJob.run(
            session.sparkContext(), files.ids().half(), sorted, new SortWriter(files, plans));
    List<List<DataFile>> byPlan = new ArrayList<>();
    plans.forEach(plan -> byPlan.add(new ArrayList<>()));
    written.forEach(ofTask -> ofTask.forEach(part -> byPlan.get(part.plan()).addAll(part.files())));
    return IntStream.range(0, plans.size())
        .mapToObj(i -> List.of(new StepResult(byPlan.get(i), Map.of(), rows(plans.get(i)))))
        .toList();
  }

  @Override
  public void discard() {
    files.discard(plans);
  }

  private static long rows(CompactionPlan plan) {
    return plan.inputs().stream().mapToLong(input -> input.file().rowCount()).sum();
  }

  private static long bytes(CompactionPlan plan) {
    return plan.inputs().stream().map(CompactionInput::file).mapToLong(DataFile::size).sum();
  }

  /** How many files each partition fills. */
  private List<Double> shares() {
    double file = FILE_FILL * options.dataFile().targetFileBytes();
    return plans.stream().map(plan -> bytes(plan) / file).toList();
  }

  private List<SampledKey> sample(List<SortInput> inputs) {
    TableSchema schema = files.spec().schema();
    Weight weight = weight(schema);
    TableSchema read =
        weight == Weight.BYTES ? schema : AppendRows.narrowed(schema, order.columns());
    List<DataField> fields = read.fields();
    List<Integer> positions = order.columns().stream().map(fields::indexOf).toList();
    SortSampler sampler =
        new SortSampler(
            reader(read),
            SparkTypes.toSpark(read.rowType()),
            positions,
            sampleSize(inputs.size()),
            weight);
    RDD<SortInput> rows = parallel(inputs).rdd();
    return TaskJob.run(session.sparkContext(), files.ids().half() + "-sample", rows, sampler)
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private int sampleSize(int tasks) {
    double ranges = Math.ceil(shares().stream().mapToDouble(Double::doubleValue).sum());
    double wanted = Math.max(1, ranges) * CompactionKeys.SORT_SAMPLES.read(options.asMap()) / tasks;
    int most = Math.max(1, MOST_SAMPLES / tasks);
    return Math.min(most, Math.max(FEWEST_SAMPLES, (int) Math.ceil(wanted)));
  }

  /** Rows of types of one size all weigh the same. */
  private Weight weight(TableSchema schema) {
    RangeStrategy ranges = CompactionKeys.SORT_RANGE_STRATEGY.read(options.asMap());
    boolean differ =
        schema.fields().stream()
            .map(field -> SparkTypes.toSpark(field.name(), field.type()))
            .anyMatch(SortJob::variesInSize);
    return ranges == RangeStrategy.SIZE && differ ? Weight.BYTES : Weight.ROWS;
  }

  private static boolean variesInSize(DataType type) {
    return type instanceof StructType
        || type instanceof ArrayType
        || type instanceof MapType
        || type.defaultSize() > Long.BYTES && !(type instanceof DecimalType);
  }

  private JavaRDD<SortInput> parallel(List<SortInput> inputs) {
    return JavaSparkContext.fromSparkContext(session.sparkContext())
        .parallelize(inputs, inputs.size());
  }

  private SortReader reader(TableSchema read) {
    return new SortReader(
        files.spec(),
        read,
        files.layout().root(),
        files.layout().branch(),
        files.ids(),
        TaskConfiguration.of(files.configuration()));
  }

  /** Columns are named by their positions, so that no name of the table's is in the way. */
  private RDD<InternalRow> sorted(List<SortInput> inputs, KeyLayout layout) {
    TableSchema schema = files.spec().schema();
    StructType columns = new StructType();
    for (StructField field : SparkTypes.toSpark(schema.rowType()).fields()) {
      columns = columns.add(column(columns.length()), field.dataType(), true);
    }
    StructType numbered = columns.add(NUMBER, DataTypes.IntegerType, false);
    RDD<InternalRow> rows = parallel(inputs).mapPartitions(reader(schema)).rdd();
    Dataset<?> read = session.internalCreateDataFrame(rows, numbered, false);
    List<String> names =
        order.columns().stream().map(field -> column(schema.fields().indexOf(field))).toList();
    return layout.sorted(read, NUMBER, names).queryExecution().toRdd();
  }

  private static String column(int position) {
    return "c" + position;
  }
}
