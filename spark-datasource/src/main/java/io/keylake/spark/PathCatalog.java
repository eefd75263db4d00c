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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.spark.schema.SchemaChanges;
import io.keylake.table.maintenance.TableDrop;
import java.time.Clock;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The catalog behind reads and writes by path: Spark asks a data source for one before it makes a
 * table in the save modes {@code errorifexists} and {@code ignore}. The name of a table is its
 * path. It lists nothing; columns change where a save evolves the schema.
 */
public final class PathCatalog implements TableCatalog {
  /** The name under which {@link KeylakeSource} registers it. */
  static final String NAME = "keylake_path";

  private String name = NAME;

  @Override
  public void initialize(String catalogName, CaseInsensitiveStringMap options) {
    name = catalogName;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Table loadTable(Identifier identifier) {
    return PathTables.table(options(identifier));
  }

  @Override
  public Changelog loadChangelog(
      Identifier identifier, ChangelogContext context, CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> {
          TableStorage storage = storage(identifier);
          return new KeylakeTable(
                  TableVersion.newest(TableName.ofPath(storage.name()), storage), Map.of())
              .changelog(context, options);
        });
  }

  @Override
  public boolean tableExists(Identifier identifier) {
    return SparkErrors.translating(() -> exists(storage(identifier)));
  }

  @Override
  public Table createTable(Identifier identifier, TableInfo info) {
    return SparkErrors.translating(
        () -> new NewPathTable(storage(identifier), info.schema(), info.partitions()));
  }

  /** Takes back a table that a failed save has made; one with rows stays. */
  @Override
  public boolean dropTable(Identifier identifier) {
    return SparkErrors.translating(
        () -> {
          TableStorage storage = storage(identifier);
          if (!exists(storage)) {
            return false;
          }
          if (storage.snapshots().latestId().isPresent()) {
            throw unsupported("drop", identifier);
          }
          TableDrop.drop(storage);
          return true;
        });
  }

  @Override
  public Identifier[] listTables(String[] namespace) {
    return new Identifier[0];
  }

  @Override
  public Table alterTable(Identifier identifier, TableChange... changes) {
    TableStorage storage = storage(identifier);
    SparkErrors.translate(
        () -> {
          KeylakeTable table =
              new KeylakeTable(
                  TableVersion.newest(TableName.ofPath(storage.name()), storage), Map.of());
          SchemaChanges.commit(
              storage, table.pinned().schema(), table.constraints(), Clock.systemUTC(), changes);
        });
    return loadTable(identifier);
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw SparkErrors.toSpark(unsupported("rename", from));
  }

  private static boolean exists(TableStorage storage) {
    return storage.schemas().latestId().isPresent();
  }

  private static CaseInsensitiveStringMap options(Identifier identifier) {
    return identifier instanceof PathIdentifier path
        ? path.options()
        : new CaseInsensitiveStringMap(Map.of(PathTables.PATH, identifier.name()));
  }

  private static TableStorage storage(Identifier identifier) {
    return PathTables.storage(options(identifier));
  }

  private static UnsupportedTableException unsupported(String what, Identifier identifier) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_OPERATION,
        "Cannot "
            + what
            + " the table "
            + identifier.name()
            + " by its path. Use a catalog of class io.keylake.catalog.KeylakeCatalog whose"
            + " warehouse holds it.");
  }
}
