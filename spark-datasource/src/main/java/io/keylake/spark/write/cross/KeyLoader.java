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

package io.keylake.spark.write.cross;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.spark.convert.ColumnDefaults;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.VectorMemory;
import io.keylake.spark.merge.BatchReader;
import io.keylake.spark.merge.ReadColumn;
import io.keylake.spark.merge.ReadColumn.TableColumn;
import io.keylake.spark.merge.ReadMetrics;
import io.keylake.spark.merge.ReadSpec;
import io.keylake.spark.merge.SplitReaders;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanOptions;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.scan.ScanFilter;
import io.keylake.table.scan.ScanPlanner;
import io.keylake.table.split.Split;
import io.keylake.table.split.SplitPlanner;
import io.keylake.table.split.SplitSize;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads the keys of a snapshot into an index: of each row that a query would see, the columns of
 * the primary key and no others. Buckets are read in parallel.
 */
public final class KeyLoader {
  private final TableStorage storage;
  private final TableSchema schema;
  private final FileAddresses addresses;
  private final CrossRules rules;
  private final Configuration configuration;

  /** A loader of the keys that {@code rules} name. */
  public KeyLoader(
      TableStorage storage,
      TableSchema schema,
      FileAddresses addresses,
      CrossRules rules,
      Configuration configuration) {
    this.storage = storage;
    this.schema = schema;
    this.addresses = addresses;
    this.rules = rules;
    this.configuration = configuration;
  }

  /**
   * Reads the keys.
   *
   * @param folder an empty folder, which becomes the index's own
   * @param stopCheck throws when the result is not wanted any more
   */
  public BaseKeys load(Path folder, Runnable stopCheck) throws IOException {
    List<BucketFiles> buckets = buckets();
    List<KeyPlace> places =
        buckets.stream().map(files -> new KeyPlace(files.partition(), files.bucket())).toList();
    KeyIndex index = new KeyIndex(folder);
    boolean isLoaded = false;
    try {
      List<Callable<Long>> jobs = new ArrayList<>();
      for (int place = 0; place < buckets.size(); place++) {
        int number = place;
        jobs.add(() -> load(index, splits(buckets.get(number)), number));
      }
      BaseKeys keys =
          new BaseKeys(index, places, new LoadThreads(rules.threads()).run(jobs, stopCheck));
      isLoaded = true;
      return keys;
    } finally {
      if (!isLoaded) {
        index.close();
      }
    }
  }

  private List<BucketFiles> buckets() {
    Snapshot base = rules.base();
    if (base == null) {
      return List.of();
    }
    return new ScanPlanner(storage, schema, committed())
            .ofEveryLevel()
            .plan(base, new ScanFilter(List.of(), StatsProjection.SKIP))
            .buckets()
            .stream()
            .filter(bucket -> !rules.replaced().contains(bucket.partition()))
            .map(this::recent)
            .filter(bucket -> !bucket.files().isEmpty())
            .toList();
  }

  /** What is left of a bucket when files that are too old are passed over. */
  private BucketFiles recent(BucketFiles bucket) {
    Long since = rules.writtenSince();
    if (since == null) {
      return bucket;
    }
    return new BucketFiles(
        bucket.partition(),
        bucket.bucket(),
        bucket.totalBuckets(),
        bucket.files().stream().filter(file -> isRecent(file, since)).toList(),
        bucket.vectors(),
        bucket.vectorFiles(),
        bucket.probesOnly());
  }

  private static boolean isRecent(DataFile file, long since) {
    Long created = file.creationTimeMillis();
    return created == null || created >= since;
  }

  private TableOptions committed() {
    return TableOptions.of(
        schema,
        Map.of(
            ScanKeys.VISIBILITY.name(),
            ScanKeys.VISIBILITY.print(ScanOptions.Visibility.COMMITTED)));
  }

  private List<Split> splits(BucketFiles bucket) {
    return new SplitPlanner(schema, committed(), addresses)
        .plan(List.of(bucket), new SplitSize(Long.MAX_VALUE, 0)).tasks().stream()
            .flatMap(List::stream)
            .toList();
  }

  /** Notes the place of all keys of a bucket, and returns how many there are. */
  private long load(KeyIndex index, List<Split> splits, int place) throws IOException {
    ReadSpec spec = spec(splits);
    UnsafeProjection projection = UnsafeProjection.create(spec.output());
    KeyBytes key = KeyBytes.ofKeys(schema);
    long keys = 0;
    try (BatchReader reader = SplitReaders.open(spec, splits, configuration, new ReadMetrics());
        KeyIndex.Loader loader = index.loader()) {
      while (reader.next()) {
        ColumnarBatch batch = reader.batch();
        for (int row = 0; row < batch.numRows(); row++) {
          key.take(projection.apply(batch.getRow(row)));
          loader.put(key.copy(), place);
        }
        keys += batch.numRows();
        if (Thread.interrupted()) {
          throw new InterruptedIOException("Reading keys was stopped");
        }
      }
      loader.flush();
    }
    return keys;
  }

  private ReadSpec spec(List<Split> splits) {
    Map<Long, TableSchema> schemas = new HashMap<>();
    splits.stream()
        .flatMap(Split::dataFiles)
        .forEach(
            file -> schemas.computeIfAbsent(file.schemaId(), id -> storage.schemas().load(id)));
    List<ReadColumn> columns = new ArrayList<>();
    var keys = schema.rowType().project(schema.primaryKeys());
    keys.fields().forEach(field -> columns.add(new TableColumn(field)));
    StructType output = SparkTypes.toSpark(keys);
    return new ReadSpec(
        schema,
        columns,
        output,
        schemas,
        null,
        ColumnDefaults.ofOlderRows(schema),
        ReadSpec.DEFAULT_BATCH_ROWS,
        VectorMemory.ON_HEAP);
  }
}
