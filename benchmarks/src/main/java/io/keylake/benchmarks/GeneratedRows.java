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

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The generated rows all benchmarks use: a BIGINT key {@code k} and nine columns of mixed types, in
 * random key order.
 */
final class GeneratedRows {
  private GeneratedRows() {}

  /**
   * {@code rows} rows with the keys 0 to rows-1, whose other values depend on the key and {@code
   * version}.
   */
  static Dataset<Row> rows(SparkSession spark, long rows, int version) {
    return columns(spark.range(0, rows, 1, 4).withColumn("k", col("id")), version);
  }

  /** About a tenth of the keys of {@code rows}, another tenth for each version. */
  static Dataset<Row> tenth(SparkSession spark, long rows, int version) {
    return columns(
        spark
            .range(0, rows, 1, 4)
            .withColumn("k", col("id"))
            .where(expr("pmod(xxhash64(id, " + version + "), 10) = 0")),
        version);
  }

  /**
   * {@code rows} rows whose keys are one of each four from 0 to 4 * rows-1, others for each
   * version.
   */
  static Dataset<Row> run(SparkSession spark, long rows, int version) {
    return columns(
        spark
            .range(0, rows, 1, 4)
            .withColumn("k", expr("4 * id + pmod(xxhash64(id, " + version + "), 4)")),
        version);
  }

  private static Dataset<Row> columns(Dataset<Row> keys, int version) {
    return keys.select(
        col("k"),
        expr("cast(pmod(xxhash64(k, " + version + ", 1), 1000000) as int) as i1"),
        expr("xxhash64(k, " + version + ", 2) as l1"),
        expr("cast(pmod(xxhash64(k, " + version + ", 3), 1000000) as double) / 7 as d1"),
        expr("cast(pmod(xxhash64(k, " + version + ", 4), 1000000) as double) / 3 as d2"),
        expr(
            "concat('name-', cast(pmod(xxhash64(k, "
                + version
                + ", 5), 1000000000) as string)) as s1"),
        expr("concat('c', cast(pmod(xxhash64(k, " + version + ", 6), 50) as string)) as s2"),
        expr(
            "date_add(date'2024-01-01', cast(pmod(xxhash64(k, "
                + version
                + ", 7), 365) as int)) as dt"),
        expr("cast(pmod(xxhash64(k, " + version + ", 8), 100000000) / 100 as decimal(18,2)) as m1"),
        expr(
            "if(pmod(k, 10) = 3, null, cast(pmod(xxhash64(k, "
                + version
                + ", 9), 1000) as int)) as i2"));
  }

  /** A column that spreads rows at random, for sources in no order of their key. */
  static Column shuffled() {
    return expr("xxhash64(k, 77)");
  }
}
