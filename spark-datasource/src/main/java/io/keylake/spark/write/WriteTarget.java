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

package io.keylake.spark.write;

import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.write.cross.CrossWrite;
import io.keylake.spark.write.kind.KindRules;
import io.keylake.spark.write.postpone.NewPartitions;
import io.keylake.spark.write.stream.JobIdentity;
import io.keylake.spark.write.stream.Repetition;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.commit.CommitEnvironment;
import io.keylake.table.commit.CommitTable;
import io.keylake.table.commit.OverwriteScope;
import io.keylake.table.commit.SequenceRebase;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.CompactionKeys;
import io.keylake.table.options.EngineKeys;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.engine.PartialColumns;
import io.keylake.table.upkeep.Upkeep;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The table that a statement writes to, with the options of the statement. Lives on the driver.
 *
 * @param name the table
 * @param storage its files, on the branch that is written
 * @param schema the columns of the rows
 * @param options stored options with those of the session and the statement over them
 * @param functions whether Spark can find the bucket function in the table's catalog
 * @param planned the version that the statement reads when it reads the table; null = an empty one
 * @param identity what the commit is known by
 */
public record WriteTarget(
    TableName name,
    TableStorage storage,
    TableSchema schema,
    TableOptions options,
    Functions functions,
    @Nullable Snapshot planned,
    JobIdentity identity) {
  /** Shuffled bytes of rows are about twice the bytes of the files they become. */
  private static final long SHUFFLED_PER_STORED = 2;

  private static final long MAX_TASK_BYTES = 512L << 20;

  /** Whether Spark can evaluate the bucket function. */
  public enum Functions {
    /** The table comes from a catalog of ours. */
    FROM_CATALOG,
    /** The table is reached by its path: there is no catalog to ask. */
    NONE
  }

  /** The table of a write that reads nothing of it. */
  public WriteTarget(
      TableName name,
      TableStorage storage,
      TableSchema schema,
      TableOptions options,
      Functions functions) {
    this(name, storage, schema, options, functions, null, JobIdentity.batch());
  }

  /** The bucket mode of the table. */
  public BucketMode bucketMode() {
    return BucketMode.of(schema, options.bucket());
  }

  /** How many buckets new partitions of a postpone table get; empty for other tables. */
  Optional<NewPartitions> newPartitions() {
    return bucketMode() instanceof BucketMode.Postpone
        ? Optional.of(NewPartitions.of(schema, options, taskBytes()))
        : Optional.empty();
  }

  /** Shuffled bytes of the rows of a task that writes about a file of the target size. */
  long taskBytes() {
    return Math.min(MAX_TASK_BYTES, SHUFFLED_PER_STORED * options.dataFile().targetFileBytes());
  }

  /** The same table, written without compaction. */
  public WriteTarget withoutCompaction() {
    Map<String, String> writeOnly = new HashMap<>(options.asMap());
    writeOnly.put(CompactionKeys.WRITE_ONLY.name(), "true");
    return new WriteTarget(
        name, storage, schema, TableOptions.of(schema, writeOnly), functions, null, identity);
  }

  /** The same target where writers make no changelog. */
  public WriteTarget withoutChangelog() {
    Map<String, String> silent = new HashMap<>(options.asMap());
    silent.put(
        EngineKeys.CHANGELOG_PRODUCER.name(),
        EngineKeys.CHANGELOG_PRODUCER.print(MergeOptions.ChangelogProducer.NONE));
    return new WriteTarget(name, storage, schema, TableOptions.of(schema, silent), functions);
  }

  /** Which columns rows set; empty = all. */
  Optional<PartialColumns> partialColumns() {
    return PartialColumns.of(schema, options, name.text());
  }

  /** A write that replaces {@code scope}, where keys move between partitions; else empty. */
  Optional<CrossWrite> crossWrite(Optional<OverwriteScope> scope) {
    return bucketMode() instanceof BucketMode.CrossPartition
        ? Optional.of(new CrossWrite(name.text(), storage, schema, options, scope.orElse(null)))
        : Optional.empty();
  }

  /** What kinds the written rows have. */
  KindRules kinds() {
    return KindRules.of(schema, options, name.text());
  }

  /** Where Hadoop's file systems are configured. */
  public Configuration configuration() {
    if (storage.io() instanceof HadoopFileIO hadoop) {
      return hadoop.configuration();
    }
    throw new IllegalStateException("Tasks reach files through Hadoop only: " + storage.io());
  }

  /** Whether this very write was committed before, see {@link Repetition}. */
  public boolean isRepeated() {
    return Repetition.isOf(identity, storage, options);
  }

  /** What follows a commit. */
  Upkeep upkeep() {
    return new Upkeep(storage, options, Clock.systemDefaultZone());
  }

  /** A committer to this table that can give rows new sequence numbers. */
  TableCommitter committer(SequenceRebase rebase) {
    return new TableCommitter(
        new CommitTable(storage, schema, options), CommitEnvironment.system(), rebase);
  }
}
