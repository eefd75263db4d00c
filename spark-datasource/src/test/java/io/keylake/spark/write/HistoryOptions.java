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

import io.keylake.spark.write.EngineKind.Buckets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Random options that say how the files of a table are laid out and compacted. */
final class HistoryOptions {
  private final Random random;

  HistoryOptions(Random random) {
    this.random = random;
  }

  /** Of a table with a primary key. */
  Map<String, String> keyed(boolean vectors) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("bucket", pick("1", "1", "2", "3", "-1", "-1"));
    if (options.get("bucket").equals("-1")) {
      limitBuckets(options);
    }
    addKeyed(options, vectors);
    return options;
  }

  /** Of a table with a primary key whose first column is {@code k0}. */
  Map<String, String> keyed(Buckets buckets, boolean vectors) {
    Map<String, String> options = new LinkedHashMap<>();
    switch (buckets) {
      case FIXED -> options.put("bucket", pick("1", "1", "2", "3"));
      case MOD, HIVE -> {
        options.put("bucket", pick("2", "3"));
        options.put("bucket-function.type", buckets == Buckets.MOD ? "mod" : "hive");
        options.put("bucket-key", "k0");
      }
      case DYNAMIC, CROSS_PARTITION -> {
        options.put("bucket", "-1");
        limitBuckets(options);
      }
      case POSTPONE -> {
        options.put("bucket", "-2");
        options.put("postpone.default-bucket-num", pick("1", "2", "3"));
      }
    }
    addKeyed(options, vectors);
    return options;
  }

  private void limitBuckets(Map<String, String> options) {
    maybe(options, "dynamic-bucket.target-row-num", pick("5", "50"));
    maybe(options, "dynamic-bucket.max-buckets", "2");
  }

  private void addKeyed(Map<String, String> options, boolean vectors) {
    if (vectors) {
      options.put("deletion-vectors.enabled", "true");
      maybe(options, "deletion-vectors.bitmap64", "true");
    }
    options.put("write-only", pick("true", "false"));
    options.put("num-sorted-run.compaction-trigger", pick("2", "3", "5"));
    maybe(options, "num-levels", pick("3", "4", "6"));
    maybe(options, "compaction.max-size-amplification-percent", pick("50", "400", "10000"));
    maybe(options, "compaction.size-ratio", pick("0", "50"));
    maybe(options, "data-file.thin-mode", "true");
    maybe(options, "compaction.force-up-level-0", "true");
    if (random.nextInt(3) == 0) {
      options.put("file.format.per.level", pick("0:avro", "0:avro,2:orc", "5:orc"));
    }
    fileOptions(options);
  }

  /** Of a table without one. */
  Map<String, String> append(boolean vectors) {
    Map<String, String> options = new LinkedHashMap<>();
    if (random.nextBoolean()) {
      options.put("bucket", pick("1", "2"));
      options.put("bucket-key", "k0");
    }
    if (vectors) {
      options.put("deletion-vectors.enabled", "true");
      maybe(options, "deletion-vectors.bitmap64", "true");
    }
    options.put("write-only", pick("true", "false"));
    maybe(options, "compaction.min.file-num", pick("2", "3"));
    maybe(options, "compaction.delete-ratio-threshold", pick("0.0", "0.5"));
    fileOptions(options);
    return options;
  }

  private void fileOptions(Map<String, String> options) {
    maybe(options, "file.format", pick("orc", "avro"));
    if (random.nextInt(5) < 2) {
      options.put("target-file-size", pick("1 b", "1 kb", "4 kb"));
      options.put("file.block-size", pick("1 b", "1 kb"));
    }
    maybe(options, "file.compression", "snappy");
    maybe(options, "metadata.stats-mode", pick("none", "counts", "full"));
    maybe(options, "parquet.page.size", "300");
  }

  private void maybe(Map<String, String> options, String key, String value) {
    if (random.nextInt(4) == 0) {
      options.put(key, value);
    }
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
