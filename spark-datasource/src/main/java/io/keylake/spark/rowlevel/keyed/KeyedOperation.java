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

package io.keylake.spark.rowlevel.keyed;

import io.keylake.format.fileio.Ids;
import io.keylake.spark.conf.BeforeImage;
import io.keylake.spark.convert.ColumnReferences;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.rowlevel.RowLevelTarget;
import io.keylake.spark.rowlevel.StatementScans;
import io.keylake.spark.rowlevel.rewrite.RowRewrite;
import io.keylake.spark.write.KeylakeWriteBuilder;
import io.keylake.spark.write.change.Purpose;
import io.keylake.spark.write.change.Statement;
import io.keylake.table.commit.TableCommitter;
import java.time.Clock;
import java.time.ZoneId;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * One row-level statement on a primary-key table. A row is known by its primary key; what the merge
 * engine needs of the row as it was comes along in {@link BeforeImage}.
 */
public final class KeyedOperation implements SupportsDelta {
  private final RowLevelTarget target;
  private final Command command;
  private final Purpose purpose;
  private final StatementScans scans;

  /** A statement on {@code target}. */
  public KeyedOperation(RowLevelTarget target, Command command, Purpose purpose) {
    this.target = target;
    this.command = command;
    this.purpose = purpose;
    this.scans = new StatementScans(target.read());
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public String description() {
    return "Keylake " + command + " " + target.write().name().text();
  }

  @Override
  public NamedReference[] rowId() {
    return target.write().schema().primaryKeys().stream()
        .map(ColumnReferences::column)
        .toArray(NamedReference[]::new);
  }

  @Override
  public NamedReference[] requiredMetadataAttributes() {
    return BeforeImage.of(target.write().schema(), command)
        .map(image -> new NamedReference[] {ColumnReferences.column(image.columnName())})
        .orElse(new NamedReference[0]);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return scans.begin();
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    Statement statement =
        new Statement(
            command,
            purpose,
            target.read().snapshot(),
            () -> scans.readRange(target.write().options().commit().isolation()),
            (committer, request, overrides) ->
                rewrite(committer).commit(request, overrides).result().snapshots().stream()
                    .findFirst());
    return new DeltaWriteBuilder() {
      @Override
      public DeltaWrite build() {
        return SparkErrors.translating(
            () -> KeylakeWriteBuilder.rowLevel(target.write(), statement));
      }
    };
  }

  private RowRewrite rewrite(TableCommitter committer) {
    return new RowRewrite(
        SparkSession.active().sparkContext(),
        target.write(),
        committer,
        Ids.random(),
        Clock.system(ZoneId.systemDefault()));
  }
}
