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

package io.keylake.catalog;

import io.keylake.spark.convert.SparkErrors;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.SupportsV1OverwriteWithSaveAsTable;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.constraints.Constraint;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The table that CREATE TABLE AS SELECT and REPLACE TABLE write to before it is visible. Its
 * definition becomes visible together with the rows; when the query fails nothing has changed.
 */
final class StagedLakeTable implements StagedTable, SupportsWrite {
  private SupportsWrite table;
  private StagedChange change;
  private @Nullable Supplier<StagedLakeTable> saved;
  private State state = State.STAGED;

  /** How far the statement is. */
  private enum State {
    STAGED,
    PUBLISHED,
    ENDED
  }

  /** Stages {@code change}; {@code table} is the table as it will be. */
  StagedLakeTable(SupportsWrite table, StagedChange change) {
    this.table = table;
    this.change = change;
  }

  /** What is staged instead when the rows turn out to be those of a frame's saveAsTable. */
  StagedLakeTable whenSaved(Supplier<StagedLakeTable> other) {
    saved = other;
    return this;
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo write) {
    Supplier<StagedLakeTable> other = saved;
    if (other != null
        && write.options().getBoolean(SupportsV1OverwriteWithSaveAsTable.OPTION_NAME, false)) {
      StagedLakeTable instead = SparkErrors.translating(other);
      table = instead.table;
      change = instead.change;
    }
    return new StagedWriteBuilder(table.newWriteBuilder(write), this::commitRows);
  }

  /** Publishes the definition, then commits the rows. */
  private void commitRows(Runnable commit) {
    SparkErrors.translate(change::publish);
    state = State.PUBLISHED;
    try {
      commit.run();
    } catch (RuntimeException | Error failure) {
      state = State.ENDED;
      try {
        change.takeBack();
      } catch (RuntimeException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  @Override
  public void commitStagedChanges() {
    if (state == State.STAGED) {
      commitRows(change::commitWithoutRows);
    }
    SparkErrors.translate(change::finish);
    state = State.ENDED;
  }

  @Override
  public void abortStagedChanges() {
    if (state == State.STAGED) {
      change.discard();
    } else if (state == State.PUBLISHED) {
      change.takeBack();
    }
    state = State.ENDED;
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public Column[] columns() {
    return table.columns();
  }

  @Override
  public Transform[] partitioning() {
    return table.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return table.properties();
  }

  @Override
  public Constraint[] constraints() {
    return table.constraints();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return table.capabilities();
  }
}
