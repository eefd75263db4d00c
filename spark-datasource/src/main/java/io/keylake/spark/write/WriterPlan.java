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

import io.keylake.format.fileio.Location;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.spark.file.write.DataFileSpec;
import io.keylake.spark.sort.SortOrder;
import io.keylake.spark.write.change.ChangeRules;
import io.keylake.spark.write.cross.CrossRules;
import io.keylake.spark.write.kind.KindRules;
import io.keylake.spark.write.partial.NamedColumns;
import io.keylake.table.bucket.AssignerRules;
import io.keylake.table.bucket.BucketMode;
import io.keylake.table.options.BucketOptions;
import io.keylake.table.options.FileLayoutOptions;
import io.keylake.table.options.engine.EngineRules;
import io.keylake.table.options.engine.PartialColumns;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of one write need to know. Travels to executors.
 *
 * @param table the table's name, for messages
 * @param root the table's folder
 * @param branch the branch that is written
 * @param rows the type of the rows as Spark has them
 * @param files what the files are like
 * @param kinds what kinds rows have, and which are dropped
 * @param order what rows are ordered by
 * @param buckets how rows are spread over buckets
 * @param assigners what the assigners of dynamic buckets go by
 * @param layout where files are placed
 * @param numbering where sequence numbers start
 * @param base the snapshot whose buckets the numbers continue; null = an empty table
 * @param partialColumns which columns rows set; null = all
 * @param changes how changes of a row-level statement are written; null = rows are added
 * @param cross what becomes of keys that are in another partition; null = there are no such
 * @param compaction what tasks compact at their end; null = nothing
 * @param changelog what changelog files are like; null = the write makes none
 */
record WriterPlan(
    String table,
    Location root,
    String branch,
    StructType rows,
    DataFileSpec files,
    KindRules kinds,
    SortOrder order,
    BucketOptions buckets,
    AssignerRules assigners,
    FileLayoutOptions layout,
    Numbering numbering,
    @Nullable Snapshot base,
    @Nullable PartialColumns partialColumns,
    @Nullable ChangeRules changes,
    @Nullable CrossRules cross,
    @Nullable WriteCompaction compaction,
    @Nullable DataFileSpec changelog)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Where sequence numbers start. */
  enum Numbering {
    /** After the highest of the bucket. */
    CONTINUED,
    /** At 0: what was there is replaced, or order does not matter. */
    FROM_ZERO
  }

  TableSchema schema() {
    return files.schema();
  }

  /** Which columns rows set that are completed from those that are there; null = none is read. */
  @Nullable PartialColumns completedColumns() {
    boolean merges = EngineRules.of(schema(), table) instanceof EngineRules.PartialUpdate;
    return merges ? null : partialColumns;
  }

  /** What is left of rows that set some columns, where the engine completes them. */
  Optional<NamedColumns> namedColumns() {
    return partialColumns instanceof PartialColumns.Named named
            && EngineRules.of(schema(), table) instanceof EngineRules.PartialUpdate rules
        ? Optional.of(new NamedColumns(table, schema(), rules, named))
        : Optional.empty();
  }

  BucketMode bucketMode() {
    return BucketMode.of(schema(), buckets);
  }
}
