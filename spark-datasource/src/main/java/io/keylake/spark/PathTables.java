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
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.fileio.FileIO;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import io.keylake.format.layout.TableLayout;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.convert.SparkErrors;
import io.keylake.table.options.TableOptions;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogV2Util;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Finds tables by the options of a read or write: {@code path}, a branch, a version. */
final class PathTables {
  static final String PATH = "path";
  private static final String BRANCH = "branch";
  private static final String VERSION_AS_OF = "versionAsOf";
  private static final String TIMESTAMP_AS_OF = "timestampAsOf";

  private PathTables() {}

  /** The columns as a stream has them; none when there is no table, as before a write makes it. */
  static StructType streamColumns(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () ->
            storage(options).schemas().latestId().isPresent()
                ? CatalogV2Util.v2ColumnsToStructType(streamTable(options).columns())
                : new StructType());
  }

  /**
   * The table at the path as a stream has it: always the newest version, since options that choose
   * one say where the stream starts.
   */
  static Table streamTable(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> {
          TableStorage storage = storage(options);
          if (storage.schemas().latestId().isEmpty()) {
            return new NewPathTable(storage, new StructType(), new Transform[0]);
          }
          TableName name = TableName.ofPath(storage.name());
          KeylakeTable table = new KeylakeTable(TableVersion.newest(name, storage), Map.of());
          return TableScans.seen(table.streamed(), options);
        });
  }

  /** The table at the path, or when there is none the one that a write will make there. */
  static Table table(CaseInsensitiveStringMap options) {
    return SparkErrors.translating(
        () -> {
          TableStorage storage = storage(options);
          if (storage.schemas().latestId().isEmpty()) {
            return new NewPathTable(storage, new StructType(), new Transform[0]);
          }
          KeylakeTable table = new KeylakeTable(version(storage, options), Map.of());
          return TableScans.seen(table, options);
        });
  }

  private static TableVersion version(TableStorage storage, CaseInsensitiveStringMap options) {
    TableName name = TableName.ofPath(storage.name());
    Map<String, String> overrides = new HashMap<>(SessionOptions.overrides(name, options));
    choose(overrides, options, VERSION_AS_OF, "scan.version");
    choose(overrides, options, TIMESTAMP_AS_OF, "scan.timestamp");
    TableVersion newest = TableVersion.newest(name, storage);
    return TableVersion.chosen(
        name, storage, TableOptions.of(newest.schema(), overrides).timeTravel());
  }

  private static void choose(
      Map<String, String> overrides,
      CaseInsensitiveStringMap options,
      String sparkOption,
      String option) {
    String value = options.get(sparkOption);
    if (value != null) {
      overrides.put(option, value);
    }
  }

  /** The path that the options name. */
  static String path(CaseInsensitiveStringMap options) {
    String path = options.get(PATH);
    if (path == null || path.isBlank()) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "A read or write without a catalog needs one path: load(\"/data/orders\") or"
              + " save(\"/data/orders\").");
    }
    return path;
  }

  /** The storage of the table at the path, whether it exists or not. */
  static TableStorage storage(CaseInsensitiveStringMap options) {
    String path = path(options);
    FileIO io =
        HadoopFileIO.of(
            ((org.apache.spark.sql.classic.SparkSession) SparkSession.active())
                .sessionState()
                .newHadoopConf());
    Location root = qualified((HadoopFileIO) io, path);
    TableLayout layout = TableLayout.of(root);
    String branch = options.get(BRANCH);
    return TableStorage.of(path, io, branch == null ? layout : layout.onBranch(branch));
  }

  private static Location qualified(HadoopFileIO io, String path) {
    Path given = new Path(path);
    return io.location(io.fileSystem(new Location(path)).makeQualified(given));
  }
}
