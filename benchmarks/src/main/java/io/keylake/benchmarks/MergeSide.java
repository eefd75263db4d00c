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

package io.keylake.benchmarks;

import java.nio.file.Path;
import java.util.Map;

/** The tables that {@link MergeBenchmark} measures beside each other. */
enum MergeSide {
  KEYLAKE("keylake"),
  KEYLAKE_VECTORS("keylake, deletion vectors"),
  DELTA("Delta, copy on write"),
  DELTA_VECTORS("Delta, deletion vectors");

  private static final String DELTA_CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog";

  private final String title;

  MergeSide(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Whether its tables have a primary key. */
  boolean isKeyed() {
    return this == KEYLAKE || this == KEYLAKE_VECTORS;
  }

  /** Settings of its session. */
  Map<String, String> settings() {
    return isKeyed()
        ? Map.of("spark.sql.extensions", "io.keylake.extensions.KeylakeExtensions")
        : Map.of(
            "spark.sql.extensions",
            "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog",
            DELTA_CATALOG,
            // 50 by default, which only makes the log of a small table slow to read.
            "spark.databricks.delta.snapshotPartitions",
            "2");
  }

  /** Whether the session can be started: Delta's jars are only on some class paths. */
  boolean isAvailable() {
    if (isKeyed()) {
      return true;
    }
    try {
      Class.forName(DELTA_CATALOG, false, MergeSide.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Where a table named {@code name} is. */
  Path folder(String folder, String name) {
    return isKeyed()
        ? Path.of(folder, "lake", "bench.db", tableName(name))
        : Path.of(folder, "delta", tableName(name));
  }

  /** How statements name it. */
  String table(String folder, String name) {
    return isKeyed()
        ? "lake.bench." + tableName(name)
        : "delta.`" + folder(folder, name).toAbsolutePath() + "`";
  }

  private String tableName(String name) {
    return name + (hasVectors() ? "_vectors" : "");
  }

  private boolean hasVectors() {
    return this == KEYLAKE_VECTORS || this == DELTA_VECTORS;
  }

  /** Creates an empty table. */
  String createStatement(String folder, String name, int buckets) {
    String columns =
        "k BIGINT NOT NULL, i1 INT, l1 BIGINT, d1 DOUBLE, d2 DOUBLE, s1 STRING, s2 STRING, dt DATE,"
            + " m1 DECIMAL(18,2), i2 INT";
    String start = "CREATE TABLE " + table(folder, name) + " (" + columns;
    return isKeyed()
        ? start
            + ", PRIMARY KEY (k) NOT ENFORCED) TBLPROPERTIES ('bucket' = '"
            + buckets
            + "', 'deletion-vectors.enabled' = '"
            + hasVectors()
            + "')"
        : start
            + ") USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = '"
            + hasVectors()
            + "')";
  }

  /** Whether statements never change a file of this name after it was written. */
  boolean isImmutable(String fileName) {
    return isKeyed()
        ? fileName.startsWith("data-") || fileName.startsWith("index-")
        : fileName.endsWith(".parquet") || fileName.endsWith(".bin");
  }
}
