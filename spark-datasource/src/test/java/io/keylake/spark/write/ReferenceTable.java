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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.RowType;

/** A table as the reference implementation reads and writes it. */
final class ReferenceTable {
  private final FileStoreTable table;

  private ReferenceTable(FileStoreTable table) {
    this.table = table;
  }

  static ReferenceTable open(Path folder) {
    return new ReferenceTable(
        FileStoreTableFactory.create(
            LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri())));
  }

  /** All rows as text, sorted. */
  List<String> rows() throws Exception {
    ReadBuilder builder = table.newReadBuilder();
    List<String> rows = new ArrayList<>();
    try (RecordReader<InternalRow> reader =
        builder.newRead().createReader(builder.newScan().plan())) {
      reader.forEachRemaining(row -> rows.add(text(row, table.rowType())));
    }
    Collections.sort(rows);
    return rows;
  }

  /** Adds rows in one commit. */
  void write(List<InternalRow> rows) throws Exception {
    BatchWriteBuilder builder = table.newBatchWriteBuilder();
    try (BatchTableWrite write = builder.newWrite();
        BatchTableCommit commit = builder.newCommit()) {
      for (InternalRow row : rows) {
        write.write(row);
      }
      commit.commit(write.prepareCommit());
    }
  }

  RowType rowType() {
    return table.rowType();
  }

  static String text(InternalRow row, RowType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      DataType field = type.getTypeAt(i);
      Object value = InternalRow.createFieldGetter(field, i).getFieldOrNull(row);
      fields.add(text(value, field));
    }
    return fields.toString();
  }

  private static String text(Object value, DataType type) {
    if (value == null) {
      return "null";
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (type instanceof RowType row) {
      return text((InternalRow) value, row);
    }
    if (type instanceof ArrayType array) {
      return elements((InternalArray) value, array.getElementType()).toString();
    }
    if (type instanceof MapType map) {
      List<String> keys = elements(((InternalMap) value).keyArray(), map.getKeyType());
      List<String> values = elements(((InternalMap) value).valueArray(), map.getValueType());
      List<String> entries = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        entries.add(keys.get(i) + "=" + values.get(i));
      }
      Collections.sort(entries);
      return entries.toString();
    }
    return value.toString();
  }

  private static List<String> elements(InternalArray array, DataType type) {
    InternalArray.ElementGetter getter = InternalArray.createElementGetter(type);
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      elements.add(text(getter.getElementOrNull(array, i), type));
    }
    return elements;
  }
}
