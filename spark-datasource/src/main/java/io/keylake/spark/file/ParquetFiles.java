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

package io.keylake.spark.file;

import io.keylake.format.errors.CorruptTableException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * What the Parquet files that one task opens share: footers, read once though a file is both
 * scanned and probed, and configurations, whose copies are costly and which all tasks of a process
 * share that were given the same one. For one thread.
 */
final class ParquetFiles {
  private static final int FOOTERS_KEPT = 64;

  private static final Map<Configuration, ReaderConfigurations> CONFIGURATIONS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Configuration conf;
  private final ReaderConfigurations configurations;
  private final Map<String, ParquetMetadata> footers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ParquetMetadata> eldest) {
          return size() > FOOTERS_KEPT;
        }
      };

  ParquetFiles(Configuration conf) {
    this.conf = conf;
    configurations = CONFIGURATIONS.computeIfAbsent(conf, ReaderConfigurations::new);
  }

  /** The file as Parquet's library opens it, without asking the file system for its status. */
  HadoopInputFile inputFile(String path, long size) throws IOException {
    FileStatus status = new FileStatus(size, false, 0, 0, 0, new Path(path));
    return HadoopInputFile.fromStatus(status, conf);
  }

  /**
   * Opens a file.
   *
   * @throws CorruptTableException when the file does not exist
   */
  SeekableInputStream open(HadoopInputFile file, String path) throws IOException {
    try {
      return file.newStream();
    } catch (FileNotFoundException e) {
      throw DataFiles.missing(path, e);
    }
  }

  /** The footer of a file, remembered for the next call. */
  ParquetMetadata footer(HadoopInputFile file, String path, SeekableInputStream stream)
      throws IOException {
    ParquetMetadata known = footers.get(path);
    if (known != null) {
      return known;
    }
    ParquetReadOptions options = HadoopReadOptions.builder(conf, file.getPath()).build();
    ParquetMetadata footer;
    try {
      footer = ParquetFileReader.readFooter(file, options, stream);
    } catch (RuntimeException | ChecksumException | EOFException e) {
      throw DataFiles.damaged(path, e);
    }
    footers.put(path, footer);
    return footer;
  }

  /** A reader of the row groups of {@code footer} on a stream of its own; the caller closes it. */
  ParquetFileReader reader(HadoopInputFile file, String path, ParquetMetadata footer)
      throws IOException {
    ParquetReadOptions options = HadoopReadOptions.builder(conf, file.getPath()).build();
    return new ParquetFileReader(file, footer, options, open(file, path));
  }

  /** The configuration of a reader of these columns; not to be changed. */
  JobConf configuration(StructType request, @Nullable FilterPredicate filter) {
    return configurations.of(request, filter);
  }

  /**
   * What Spark's Parquet reader is told through a configuration: the columns and the condition of a
   * file beside the settings of all. A copy has two thousand entries, so the latest are kept. Safe
   * for use by several threads.
   */
  private static final class ReaderConfigurations {
    private static final int KEPT = 16;

    private final JobConf base;
    private final Map<Request, JobConf> latest =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Request, JobConf> eldest) {
            return size() > KEPT;
          }
        };

    private record Request(StructType columns, @Nullable FilterPredicate filter) {}

    /** Over a configuration, of which nothing but its entries is kept. */
    ReaderConfigurations(Configuration conf) {
      base = new JobConf(conf);
      base.set(ParquetInputFormat.READ_SUPPORT_CLASS, ParquetReadSupport.class.getName());
      base.setBoolean("spark.sql.parquet.binaryAsString", false);
      base.setBoolean("spark.sql.parquet.int96AsTimestamp", true);
      base.setBoolean("spark.sql.caseSensitive", true);
      base.setBoolean("spark.sql.parquet.inferTimestampNTZ.enabled", true);
      base.setBoolean("spark.sql.legacy.parquet.nanosAsLong", false);
      base.setBoolean("spark.sql.parquet.fieldId.read.enabled", false);
    }

    /** The configuration of a reader of these columns; not to be changed. */
    synchronized JobConf of(StructType columns, @Nullable FilterPredicate filter) {
      return latest.computeIfAbsent(new Request(columns, filter), this::copy);
    }

    private JobConf copy(Request request) {
      JobConf copy = new JobConf(base);
      copy.set(ParquetReadSupport.SPARK_ROW_REQUESTED_SCHEMA(), request.columns().json());
      if (request.filter() != null) {
        ParquetInputFormat.setFilterPredicate(copy, request.filter());
      }
      return copy;
    }
  }
}
