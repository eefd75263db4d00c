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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.RowType;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.SpreadKeys;
import io.keylake.table.compaction.CompactionStep.SpreadRows;
import io.keylake.table.lsm.KeyCuts;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.lsm.SortedRun;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Plans how rows of a partition move to another number of buckets.
 *
 * <ol>
 *   <li>Buckets that are equal modulo the greatest common divisor of both numbers are one plan, see
 *       {@link NewBuckets}. Where a column of the bucket key has changed its type since a file was
 *       written, all buckets are one plan, since rows keep the bucket they got by the type of their
 *       time.
 *   <li>Primary-key tables: all files are merged as a full compaction would, and the results are on
 *       the top level with the sequence numbers that the rows have. Where a sequence field decides
 *       which row is newer, deletes stay, so that rows which come late do not bring keys back; the
 *       results are then one level below, so that the next full compaction drops them. Large plans
 *       are cut by key ({@link KeyCuts}), and where that is not enough by new bucket.
 *   <li>Append tables: a step takes whole old buckets, one after the other, whose rows keep their
 *       order. All steps of a plan number their rows one after the other.
 *   <li>A step has at most {@value #MAX_OUTPUTS} new buckets, since each of them has a file open;
 *       beyond that, files are read more than once.
 *   <li>Rows that are added later ({@link #later}) stay on level 0: each file by itself, deletes
 *       included.
 * </ol>
 *
 * <p>Immutable. Pinned by {@code RescalePlannerTest}.
 */
public final class RescalePlanner {
  /** New files that one step has open at most. */
  static final int MAX_OUTPUTS = 16;

  /** A step reads about as much as so many files of the target size. */
  private static final int STEP_FILES = 2;

  private static final Comparator<DataFile> BY_SEQUENCE =
      Comparator.comparingLong(DataFile::minSequenceNumber)
          .thenComparingLong(DataFile::maxSequenceNumber)
          .thenComparing(DataFile::name);

  private final TableSchema schema;
  private final TableOptions options;
  private final FileAddresses addresses;
  private final LongFunction<TableSchema> schemas;
  private final KeyComparator keys;
  private final long stepBytes;

  /**
   * A planner.
   *
   * @param schema the schema that rows are written with
   * @param schemas finds a schema of the table by its id
   */
  public RescalePlanner(
      TableSchema schema,
      TableOptions options,
      FileAddresses addresses,
      LongFunction<TableSchema> schemas) {
    this.schema = schema;
    this.options = options;
    this.addresses = addresses;
    this.schemas = schemas;
    this.keys = KeyComparator.of(schema.keyType());
    this.stepBytes = STEP_FILES * options.dataFile().targetFileBytes();
  }

  /**
   * The plans that bring all rows of a partition into {@code total} buckets.
   *
   * @param buckets all buckets of the partition, with all their files
   * @param total the new number of buckets
   */
  public List<CompactionPlan> all(List<BucketFiles> buckets, int total) {
    List<CompactionPlan> plans = new ArrayList<>();
    for (Group group : groups(buckets, total)) {
      if (schema.hasPrimaryKey()) {
        int top = topLevel(group.sources());
        boolean keepsDeletes = top > 1 && deletesOutrankLateRows(group.sources());
        Deletes deletes = keepsDeletes ? Deletes.KEPT : Deletes.DROPPED;
        plan(group, keepsDeletes ? top - 1 : top, merges(group, deletes)).ifPresent(plans::add);
      } else {
        plan(group, 0, rows(group, 0)).ifPresent(plans::add);
      }
    }
    return plans;
  }

  /** Whether a row that comes late may have to be held against a delete. */
  private boolean deletesOutrankLateRows(List<BucketFiles> buckets) {
    return !options.merge().sequenceFields().isEmpty()
        && !options.merge().hasOneRowAbove()
        && buckets.stream()
            .flatMap(bucket -> bucket.files().stream())
            .anyMatch(DataFile::mayHoldDeletes);
  }

  /**
   * The plans that bring rows which came later into {@code total} buckets, on top of those of
   * {@link #all}.
   *
   * @param buckets the files that came later, by bucket
   * @param nextSequenceNumber the first number for rows of append tables
   */
  public List<CompactionPlan> later(List<BucketFiles> buckets, int total, long nextSequenceNumber) {
    List<CompactionPlan> plans = new ArrayList<>();
    for (Group group : groups(buckets, total)) {
      List<CompactionStep> steps =
          schema.hasPrimaryKey() ? copies(group) : rows(group, nextSequenceNumber);
      plan(group, 0, steps).ifPresent(plans::add);
    }
    return plans;
  }

  /** Old buckets whose rows go to the same new buckets. */
  private record Group(List<BucketFiles> sources, int total, int stride, List<Integer> targets) {}

  private List<Group> groups(List<BucketFiles> buckets, int total) {
    int stride = total;
    for (BucketFiles bucket : buckets) {
      stride = divisor(stride, bucket.totalBuckets());
    }
    if (!buckets.stream().allMatch(this::hasTypesOfToday)) {
      stride = 1;
    }
    List<Group> groups = new ArrayList<>();
    for (int rest = 0; rest < stride; rest++) {
      int wanted = rest;
      int step = stride;
      List<BucketFiles> sources =
          buckets.stream().filter(bucket -> bucket.bucket() % step == wanted).toList();
      List<Integer> targets = new ArrayList<>();
      for (int bucket = rest; bucket < total; bucket += stride) {
        targets.add(bucket);
      }
      if (!sources.isEmpty()) {
        groups.add(new Group(sources, total, stride, targets));
      }
    }
    return groups;
  }

  private static int divisor(int one, int other) {
    return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).intValueExact();
  }

  private boolean hasTypesOfToday(BucketFiles bucket) {
    RowType today = schema.rowType().project(options.bucket().keys());
    return bucket.files().stream()
        .mapToLong(DataFile::schemaId)
        .filter(id -> id != schema.id())
        .distinct()
        .allMatch(id -> hasTypes(schemas.apply(id).rowType(), today));
  }

  private static boolean hasTypes(RowType before, RowType today) {
    for (DataField column : today.fields()) {
      Optional<DataField> then = before.fieldById(column.id());
      if (then.isPresent() && !then.get().type().asNullable().equals(column.type().asNullable())) {
        return false;
      }
    }
    return true;
  }

  private static Optional<CompactionPlan> plan(Group group, int level, List<CompactionStep> steps) {
    return steps.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new CompactionPlan(
                group.sources().get(0).partition(),
                group.targets().get(0),
                group.total(),
                level,
                steps,
                List.of()));
  }

  private int topLevel(List<BucketFiles> buckets) {
    int highest =
        buckets.stream()
            .flatMap(bucket -> bucket.files().stream())
            .mapToInt(DataFile::level)
            .max()
            .orElse(0);
    return Math.max(highest, options.compaction().levels() - 1);
  }

  /** Runs of level 0 rank before those of all other levels, also those of other buckets. */
  private List<CompactionInput> ranked(List<BucketFiles> buckets) {
    List<CompactionInput> inputs = new ArrayList<>();
    int rank = 0;
    for (boolean levelZero : new boolean[] {true, false}) {
      for (BucketFiles bucket : buckets) {
        BucketInputs files = new BucketInputs(bucket, addresses);
        for (SortedRun run : Levels.of(bucket.files(), keys).runs()) {
          if ((run.level() == 0) == levelZero) {
            for (DataFile file : run.files()) {
              inputs.add(files.read(file, rank));
            }
            rank++;
          }
        }
      }
    }
    return inputs;
  }

  private List<CompactionStep> merges(Group group, Deletes deletes) {
    List<CompactionInput> inputs = ranked(group.sources());
    KeyCuts cuts = new KeyCuts(keys, stepBytes);
    List<CompactionStep> steps = new ArrayList<>();
    for (KeyRange range :
        cuts.ranges(
            inputs.stream().map(input -> new RankedFile(input.file(), input.runRank())).toList())) {
      List<CompactionInput> meeting =
          inputs.stream().filter(input -> cuts.meets(input.file(), range)).toList();
      targets(group, bytes(meeting))
          .map(to -> new SpreadKeys(meeting, to, deletes, range))
          .forEach(steps::add);
    }
    return steps;
  }

  private List<CompactionStep> copies(Group group) {
    List<CompactionStep> steps = new ArrayList<>();
    for (BucketFiles bucket : group.sources()) {
      BucketInputs files = new BucketInputs(bucket, addresses);
      for (DataFile file : bucket.files()) {
        targets(group, file.size())
            .map(to -> new SpreadKeys(List.of(files.read(file, 0)), to, Deletes.KEPT, KeyRange.ALL))
            .forEach(steps::add);
      }
    }
    return steps;
  }

  private List<CompactionStep> rows(Group group, long firstSequenceNumber) {
    List<CompactionStep> steps = new ArrayList<>();
    List<CompactionInput> open = new ArrayList<>();
    long next = firstSequenceNumber;
    for (BucketFiles bucket : group.sources()) {
      BucketInputs files = new BucketInputs(bucket, addresses);
      for (DataFile file : bucket.files().stream().sorted(BY_SEQUENCE).toList()) {
        open.add(files.read(file, open.size()));
      }
      if (bytes(open) >= stepBytes) {
        next = endStep(group, open, next, steps);
      }
    }
    endStep(group, open, next, steps);
    return steps;
  }

  /** Makes steps of some files; the sequence number after theirs. */
  private long endStep(
      Group group, List<CompactionInput> open, long first, List<CompactionStep> steps) {
    if (open.isEmpty()) {
      return first;
    }
    List<CompactionInput> inputs = List.copyOf(open);
    open.clear();
    targets(group, bytes(inputs)).map(to -> new SpreadRows(inputs, to, first)).forEach(steps::add);
    return first + inputs.stream().mapToLong(input -> input.file().rowCount()).sum();
  }

  private static long bytes(List<CompactionInput> inputs) {
    return inputs.stream().mapToLong(input -> input.file().size()).sum();
  }

  /** The new buckets of a group for as many steps as there should be for so many bytes. */
  private Stream<NewBuckets> targets(Group group, long bytes) {
    int count = group.targets().size();
    long fewest = ((long) count + MAX_OUTPUTS - 1) / MAX_OUTPUTS;
    long wanted = (bytes + stepBytes - 1) / Math.max(1, stepBytes);
    int parts = (int) Math.max(fewest, Math.min(count, wanted));
    List<NewBuckets> targets = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int from = (int) ((long) count * part / parts);
      int to = (int) ((long) count * (part + 1) / parts);
      targets.add(new NewBuckets(group.total(), group.stride(), group.targets().subList(from, to)));
    }
    return targets.stream();
  }
}
