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

package io.keylake.spark.merge.fold;

import io.keylake.format.row.ChangeKind;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeParser;
import io.keylake.spark.convert.CanonicalText;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.file.gather.GatherSource;
import io.keylake.spark.testing.JsonRows;
import io.keylake.table.options.engine.EngineRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A table with the key {@code k INT} whose rows are folded, written as texts. */
final class FoldTable {
  private static final int SOURCES = 3;

  /** How rows come into a {@link VersionBatch}. */
  enum Filling {
    APPENDED,
    GATHERED
  }

  private final List<DataField> columns;
  private final Map<String, String> options;
  private final TableSchema schema;
  private final StructType type;

  /** A table of columns as {@code a INT, b STRING} and options as {@code a=b; c=d}. */
  FoldTable(String columns, String options) {
    this.columns = new ArrayList<>();
    this.columns.add(DataField.of(0, "k", DataTypes.INT.asNotNull()));
    for (String column : columns.split(", ")) {
      String[] words = column.split(" ", 2);
      this.columns.add(DataField.of(this.columns.size(), words[0], TypeParser.parse(words[1])));
    }
    this.options = new LinkedHashMap<>();
    for (String option : options.split("; ")) {
      String[] words = option.split("=", 2);
      this.options.put(words[0], words[1]);
    }
    schema =
        new TableSchema(
            TableSchema.CURRENT_VERSION,
            0,
            this.columns,
            this.columns.size(),
            List.of(),
            List.of("k"),
            this.options,
            null,
            0,
            UnknownKeys.NONE);
    type = SparkTypes.toSpark(schema.rowType());
  }

  Map<String, String> options() {
    return options;
  }

  EngineRules rules() {
    return EngineRules.of(schema, "db.t");
  }

  /** All columns, as positions. */
  List<Integer> positions() {
    return IntStream.range(0, columns.size()).boxed().toList();
  }

  KeyFolder folder(List<Integer> positions) {
    return new KeyFolder("db.t", schema, rules(), positions);
  }

  StructType type(List<Integer> positions) {
    return new StructType(
        positions.stream()
            .map(position -> type.fields()[position])
            .toArray(org.apache.spark.sql.types.StructField[]::new));
  }

  /** A row as JSON; cells are {@code null}, {@code ''} or the text of a value. */
  String json(int key, List<String> cells, String kind) {
    StringBuilder json = new StringBuilder("{");
    if (!kind.isEmpty()) {
      json.append("\"_kind\":\"").append(kind).append("\",");
    }
    json.append("\"k\":").append(key);
    for (int i = 0; i < cells.size(); i++) {
      DataField column = columns.get(i + 1);
      json.append(",\"").append(column.name()).append("\":");
      json.append(cell(cells.get(i), column.type()));
    }
    return json.append('}').toString();
  }

  /** The same for parsers of JSON, for most of which -0 is 0 unless it is a text. */
  String input(int key, List<String> cells, String kind) {
    return json(key, cells, kind).replace(":-0.0", ":\"-0.0\"");
  }

  private static String cell(String text, DataType type) {
    if (text.equals("null")) {
      return text;
    }
    return switch (type.root()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT -> text;
      case FLOAT, DOUBLE -> text.matches(".*[a-zA-Z]{3}.*") ? '"' + text + '"' : text;
      default -> '"' + (text.equals("''") ? "" : text) + '"';
    };
  }

  /** The folded rows of some keys, which are numbered from 0: the kind, then the row as JSON. */
  List<String> fold(List<List<FoldCase.Line>> keys, Filling filling) {
    List<Integer> all = positions();
    try (VersionBatch versions = new VersionBatch(type);
        KeyFolder folder = folder(all)) {
      fill(versions, keys, filling);
      FoldedRows folded = folder.fold(versions);
      ColumnVector[] vectors = all.stream().map(folded::column).toArray(ColumnVector[]::new);
      ColumnarBatch batch = new ColumnarBatch(vectors, folded.rows());
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < folded.rows(); row++) {
        ChangeKind kind = ChangeKind.ofCode(folded.kinds().getByte(row));
        rows.add(kind.shortName() + " " + CanonicalText.of(batch.getRow(row), type));
      }
      return rows;
    }
  }

  /** Adds keys; the rows are numbered from 0. */
  void fill(VersionBatch versions, List<List<FoldCase.Line>> keys, Filling filling) {
    UnsafeProjection projection = UnsafeProjection.create(type);
    List<Source> sources = sources();
    for (int key = 0; key < keys.size(); key++) {
      versions.beginKey();
      for (FoldCase.Line line : keys.get(key)) {
        InternalRow row = JsonRows.row(JsonRows.parse(input(key, line.cells(), "")), type);
        byte kind = kind(line.mark()).code();
        int number = versions.size();
        if (filling == Filling.APPENDED) {
          UnsafeRow bytes = projection.apply(row);
          versions.append(
              bytes.getBaseObject(), bytes.getBaseOffset(), bytes.getSizeInBytes(), number, kind);
        } else {
          Source source = sources.get(number % SOURCES);
          versions.add(number % SOURCES, source.append(row, number, kind));
        }
        if (number % 7 == 6 && filling == Filling.GATHERED) {
          versions.gather(sources);
          sources = sources();
        }
      }
    }
    versions.gather(sources);
  }

  static ChangeKind kind(String shortName) {
    return Arrays.stream(ChangeKind.values())
        .filter(kind -> kind.shortName().equals(shortName))
        .findFirst()
        .orElseThrow();
  }

  private List<Source> sources() {
    return IntStream.range(0, SOURCES).mapToObj(i -> new Source(type)).toList();
  }

  /** A batch that rows are appended to. */
  static final class Source implements GatherSource {
    private final RowToColumnConverter converter;
    private final WritableColumnVector[] vectors;
    private final WritableColumnVector sequenceNumbers =
        new OnHeapColumnVector(16, org.apache.spark.sql.types.DataTypes.LongType);
    private final WritableColumnVector kinds =
        new OnHeapColumnVector(16, org.apache.spark.sql.types.DataTypes.ByteType);
    private int rows;

    Source(StructType type) {
      converter = new RowToColumnConverter(type);
      vectors = OnHeapColumnVector.allocateColumns(16, type);
    }

    int append(InternalRow row, long sequenceNumber, byte kind) {
      converter.convert(row, vectors);
      sequenceNumbers.appendLong(sequenceNumber);
      kinds.appendByte(kind);
      return rows++;
    }

    @Override
    public ColumnVector column(int index) {
      return vectors[index];
    }

    @Override
    public ColumnVector sequenceNumbers() {
      return sequenceNumbers;
    }

    @Override
    public ColumnVector kinds() {
      return kinds;
    }
  }
}
