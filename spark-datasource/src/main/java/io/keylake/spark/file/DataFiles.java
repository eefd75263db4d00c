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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.CorruptTableException;
import io.keylake.format.errors.UnsupportedTableException;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.orc.FileFormatException;

/**
 * Opens data files of any format for one task. For one thread.
 *
 * <p>The format follows from the name of the file, never from the table's options.
 */
public final class DataFiles {
  private final Configuration conf;
  private final VectorAllocation vectors;
  private final Map<Integer, Object> addedDefaults;
  private final ParquetFiles parquet;

  /**
   * @param conf where file systems are configured; not changed
   * @param vectors how batches are made
   * @param addedDefaults values of columns in files that lack them: Spark's internal value by field
   *     id
   */
  public DataFiles(
      Configuration conf, VectorAllocation vectors, Map<Integer, Object> addedDefaults) {
    this.conf = conf;
    this.vectors = vectors;
    this.addedDefaults = addedDefaults;
    this.parquet = new ParquetFiles(conf);
  }

  /**
   * Opens a file; the caller closes the reader.
   *
   * @throws CorruptTableException when the file is missing or damaged
   * @throws UnsupportedTableException when its format, or a cast that its schema needs, is unknown
   */
  public DataFileReader open(FileScan scan) throws IOException {
    FileScan asked =
        scan.predicate() == null
            ? scan
            : scan.withPredicate(FilePredicates.forFile(scan.predicate(), scan.fileSchema()));
    FileProjection projection = FileProjection.of(asked);
    FormatReader reader = open(asked, projection);
    return new DataFileReader(reader, asked.wanted(), projection, vectors, addedDefaults);
  }

  private FormatReader open(FileScan scan, FileProjection projection) throws IOException {
    String format = scan.file().formatIdentifier();
    return switch (format) {
      case "parquet" -> ParquetFormatReader.open(scan, projection, parquet, vectors);
      case "orc" -> OrcFormatReader.open(scan, projection, conf, vectors);
      case "avro" -> AvroFormatReader.open(scan, projection, conf, vectors);
      default ->
          throw new UnsupportedTableException(
              Condition.KEYLAKE_UNSUPPORTED_FEATURE,
              "Data file "
                  + scan.path()
                  + " is in the format '"
                  + format
                  + "'. Parquet, ORC and Avro files can be read; rewrite the table in one of"
                  + " them.");
    };
  }

  static CorruptTableException missing(String path, IOException cause) {
    return new CorruptTableException(
        path,
        "A data file of the table does not exist. If the snapshot has expired while it was read,"
            + " read a newer one; otherwise restore the file or roll back.",
        cause);
  }

  /**
   * What a failure to read means, unless the failure itself says it well, which is given back.
   *
   * @throws CorruptTableException when the file ends early or does not hold what was written
   */
  static IOException failed(String path, IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean isDamage =
          cause instanceof EOFException
              || cause instanceof ChecksumException
              || cause instanceof FileFormatException;
      if (isDamage) {
        throw damaged(path, failure);
      }
    }
    return failure;
  }

  static CorruptTableException damaged(String path, Exception cause) {
    return new CorruptTableException(
        path,
        "Cannot read a data file of the table: "
            + (cause.getMessage() == null ? "it ends early" : cause.getMessage())
            + ". Restore the file or roll back to a snapshot that does not use it.",
        cause);
  }
}
