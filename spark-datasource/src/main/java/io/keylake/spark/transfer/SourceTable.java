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

package io.keylake.spark.transfer;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.HadoopFileIO;
import io.keylake.format.fileio.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition;
import org.apache.spark.sql.catalyst.catalog.CatalogTableType;
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A table of Parquet or ORC files that Spark's session catalog knows, as the list of its files.
 *
 * @param name as users write it
 * @param format {@code parquet} or {@code orc}
 * @param columns its columns without the partition columns
 * @param partitions its partition columns
 * @param comment of the table; null = none
 * @param files all of its files
 */
record SourceTable(
    String name,
    String format,
    StructType columns,
    StructType partitions,
    @Nullable String comment,
    List<SourceFile> files) {
  private static final String NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__";

  SourceTable {
    files = List.copyOf(files);
  }

  /**
   * A file.
   *
   * @param location its address
   * @param bytes its size
   * @param partition the texts of its partition values, in order of the columns; null = NULL
   */
  record SourceFile(Location location, long bytes, List<@Nullable String> partition) {
    SourceFile {
      partition = java.util.Collections.unmodifiableList(new ArrayList<>(partition));
    }
  }

  /**
   * Looks a table up.
   *
   * @param type {@code hive}, which takes any, or the format that it must have
   */
  static SourceTable find(SparkSession session, TableIdentifier identifier, String type) {
    SessionCatalog catalog = session.sessionState().catalog();
    String name = identifier.unquotedString();
    if (!catalog.tableExists(identifier)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Spark's session catalog has no table " + name + " to migrate.");
    }
    CatalogTable table;
    try {
      table = catalog.getTableMetadata(identifier);
    } catch (org.apache.spark.sql.AnalysisException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_REFERENCE_NOT_FOUND,
          "Spark's session catalog has no table " + name + " to migrate.",
          e);
    }
    String format = format(table);
    if (table.tableType().equals(CatalogTableType.VIEW())
        || format.isEmpty()
        || !type.equals("hive") && !type.equals(format)) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPERATION,
          "Cannot migrate "
              + name
              + " as a table of source_type '"
              + type
              + "': it is "
              + (table.tableType().equals(CatalogTableType.VIEW())
                  ? "a view"
                  : "of provider " + table.provider().getOrElse(() -> "unknown"))
              + ". Tables of Parquet and ORC files can be migrated.");
    }
    HadoopFileIO io = HadoopFileIO.of(session.sessionState().newHadoopConf());
    Listing listing = new Listing(io, table, catalog);
    return new SourceTable(
        name,
        format,
        table.dataSchema(),
        table.partitionSchema(),
        table.comment().isDefined() ? table.comment().get() : null,
        listing.files());
  }

  private static String format(CatalogTable table) {
    String provider = String.valueOf(table.provider().getOrElse(() -> "")).toLowerCase(Locale.ROOT);
    String input =
        String.valueOf(table.storage().inputFormat().getOrElse(() -> "")).toLowerCase(Locale.ROOT);
    String text = provider.equals("hive") ? input : provider;
    if (text.contains("parquet")) {
      return "parquet";
    }
    return text.contains("orc") ? "orc" : "";
  }

  /** Finds the files of a table: in the partitions that the catalog knows, or else in folders. */
  private record Listing(HadoopFileIO io, CatalogTable table, SessionCatalog catalog) {
    List<SourceFile> files() {
      List<SourceFile> files = new ArrayList<>();
      Location root = io.location(new Path(table.location()));
      List<String> columns = CollectionConverters.asJava(table.partitionColumnNames());
      if (columns.isEmpty()) {
        add(files, root, List.of());
      } else if (table.tracksPartitionsInCatalog()) {
        for (CatalogTablePartition partition :
            CollectionConverters.asJava(
                catalog.listPartitions(table.identifier(), Option.empty()))) {
          Map<String, String> spec = new HashMap<>();
          CollectionConverters.asJava(partition.spec())
              .forEach((key, value) -> spec.put(key.toLowerCase(Locale.ROOT), value));
          List<@Nullable String> values = new ArrayList<>();
          for (String column : columns) {
            values.add(orNull(spec.get(column.toLowerCase(Locale.ROOT))));
          }
          add(files, io.location(new Path(partition.location())), values);
        }
      } else {
        walk(files, root, columns, new ArrayList<>());
      }
      return files;
    }

    private static @Nullable String orNull(@Nullable String text) {
      return text == null || text.equals(NULL_PARTITION) ? null : text;
    }

    private void walk(
        List<SourceFile> files,
        Location folder,
        List<String> columns,
        List<@Nullable String> values) {
      if (values.size() == columns.size()) {
        add(files, folder, values);
        return;
      }
      String prefix = columns.get(values.size()).toLowerCase(Locale.ROOT) + "=";
      for (FileStatus status : io.list(folder)) {
        String name = status.location().name();
        if (status.isDirectory() && name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
          String text = ExternalCatalogUtils.unescapePathName(name.substring(prefix.length()));
          List<@Nullable String> more = new ArrayList<>(values);
          more.add(orNull(text));
          walk(files, status.location(), columns, more);
        } else if (!isHidden(name)) {
          throw unexpected(status.location());
        }
      }
    }

    private void add(List<SourceFile> files, Location folder, List<@Nullable String> partition) {
      for (FileStatus status : io.list(folder)) {
        if (isHidden(status.location().name())) {
          continue;
        }
        if (status.isDirectory()) {
          throw unexpected(status.location());
        }
        if (status.length() > 0) {
          files.add(new SourceFile(status.location(), status.length(), partition));
        }
      }
    }

    private static boolean isHidden(String name) {
      return name.startsWith("_") && !name.contains("=") || name.startsWith(".");
    }

    private InvalidRequestException unexpected(Location place) {
      return new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "Cannot migrate "
              + table.identifier().unquotedString()
              + ": "
              + place
              + " is neither a data file nor a partition of it. Move it away.");
    }
  }
}
