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

package io.keylake.spark.write.change;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.table.commit.BucketChange;
import io.keylake.table.commit.CommitRequest;
import io.keylake.table.commit.TableCommitter;
import io.keylake.table.options.CommitOptions.KeyUpdate;
import io.keylake.table.scan.ReadRange;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.write.RowLevelOperation.Command;
import org.jspecify.annotations.Nullable;

/**
 * A row-level statement. Lives on the driver.
 *
 * @param command what it does
 * @param purpose what that is for
 * @param base the snapshot whose rows it reads; null = an empty table
 * @param reads what it has looked for there, once it has read; null = that may have changed
 * @param overrides commits it when it has overrides
 */
public record Statement(
    Command command,
    Purpose purpose,
    @Nullable Snapshot base,
    Supplier<@Nullable ReadRange> reads,
    OverrideCommit overrides) {
  /** The statement's name among the properties of its snapshot. */
  public String operation() {
    return operation(command, purpose);
  }

  /** The name that a statement has among the properties of its snapshot. */
  public static String operation(Command command, Purpose purpose) {
    return switch (purpose) {
      case STATEMENT -> command.name();
      case OVERWRITE -> "OVERWRITE";
    };
  }

  /** How its changes are written. */
  public ChangeRules rules(String table, TableSchema schema, KeyUpdate keyUpdate) {
    return ChangeRules.of(command, purpose, table, schema, keyUpdate);
  }

  /** Commits records and overrides as one snapshot. */
  @FunctionalInterface
  public interface OverrideCommit {
    /**
     * Commits and returns the snapshot.
     *
     * @param committer of the table
     * @param request the records
     * @param overrides files of rows that stand for their keys; they are deleted in the end
     */
    Optional<Snapshot> commit(
        TableCommitter committer, CommitRequest request, List<BucketChange> overrides);
  }
}
