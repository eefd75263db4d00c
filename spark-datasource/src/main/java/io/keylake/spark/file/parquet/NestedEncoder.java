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

package io.keylake.spark.file.parquet;

import io.keylake.spark.file.encode.RowBatch;
import io.keylake.spark.file.encode.StoredColumn;
import io.keylake.spark.file.parquet.ParquetSettings.BloomFilterSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;

/**
 * Encodes all nested columns of a file with Parquet's own column writers, over the page store of
 * the flat columns. Nested columns have no bounds in the format.
 */
final class NestedEncoder {
  private final MessageType message;
  private final List<StoredColumn> columns;
  private final ParquetProperties properties;
  private final UnsafeRow row;
  private @Nullable ColumnWriteStore store;
  private NestedValues[] writers = new NestedValues[0];

  NestedEncoder(
      MessageType file, List<StoredColumn> columns, int rowArity, ParquetSettings settings) {
    List<Type> fields = new ArrayList<>();
    columns.forEach(column -> fields.add(file.getType(column.field().name())));
    this.message = new MessageType(ParquetMessage.NAME, fields);
    this.columns = columns;
    this.properties = properties(settings);
    this.row = new UnsafeRow(rowArity);
  }

  private static ParquetProperties properties(ParquetSettings settings) {
    ParquetProperties.Builder builder =
        ParquetProperties.builder()
            .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0)
            .withPageSize(settings.pageBytes())
            .withPageRowCountLimit(settings.pageRows())
            .withDictionaryPageSize(settings.dictionaryBytes())
            .withDictionaryEncoding(settings.dictionaries().otherwise())
            .withPageWriteChecksumEnabled(settings.checksums());
    settings.dictionaries().columns().forEach(builder::withDictionaryEncoding);
    addBloomFilters(builder, settings.bloomFilters().columns());
    return builder.build();
  }

  private static void addBloomFilters(
      ParquetProperties.Builder builder, Map<String, BloomFilterSize> filters) {
    filters.forEach(
        (column, size) -> {
          if (size.maxBytes() > 0) {
            builder.withBloomFilterEnabled(column, true).withMaxBloomFilterBytes(size.maxBytes());
            builder.withBloomFilterFPP(column, size.falsePositives());
            if (size.distinctValues() > 0) {
              builder.withBloomFilterNDV(column, size.distinctValues());
            }
          }
        });
  }

  /** Starts a row group whose pages go to {@code pages}. */
  void startRowGroup(ColumnChunkPageWriteStore pages) {
    store = properties.newColumnWriteStore(message, pages, pages);
    writers = new NestedValues[columns.size()];
    for (int i = 0; i < writers.length; i++) {
      StoredColumn column = columns.get(i);
      writers[i] = NestedValues.of(column.field().name(), column.field().type(), message, store);
    }
  }

  /** Adds the rows of a batch. */
  void encode(RowBatch batch) {
    ColumnWriteStore open = open();
    for (int i = 0; i < writers.length; i++) {
      int ordinal = columns.get(i).ordinal();
      for (int j = 0; j < batch.size(); j++) {
        batch.view(j, row);
        writers[i].write(row, ordinal, 0, 0);
      }
    }
    for (int j = 0; j < batch.size(); j++) {
      open.endRecord();
    }
  }

  /** Bytes held for pages that have not ended. */
  long bufferedBytes() {
    return store == null ? 0 : store.getBufferedSize();
  }

  /** Hands the last pages and the dictionaries to the page store. */
  void endRowGroup() {
    open().flush();
    discard();
  }

  /** Drops what has not been handed on. */
  void discard() {
    if (store != null) {
      store.close();
      store = null;
    }
  }

  private ColumnWriteStore open() {
    if (store == null) {
      throw new IllegalStateException("No row group has been started");
    }
    return store;
  }
}
