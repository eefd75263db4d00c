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

import io.keylake.format.schema.TableSchema;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.write.HistoryValues.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a random table is like: its columns are one of a few shapes, its options are any. Columns
 * are keys, then the partition, then values, of which the first is a number.
 */
final class HistoryTable {
  /** The reference fails with a ClassCastException when it maintains deletion vectors of these. */
  static final DataType[] BYTES = {DataTypes.BYTES};

  static final DataType[][] KEYS = {
    {DataTypes.INT},
    {DataTypes.STRING},
    {DataTypes.BIGINT, DataTypes.STRING},
    {DataTypes.decimal(9, 2), DataTypes.DATE},
    BYTES,
    {DataTypes.SMALLINT, DataTypes.timestamp(6), DataTypes.decimal(22, 2)}
  };
  private static final DataType[][] VALUES = {
    {DataTypes.INT, DataTypes.STRING}, {DataTypes.BIGINT, DataTypes.decimal(12, 2), DataTypes.DATE}
  };
  static final DataType[] PARTITIONS = {DataTypes.STRING, DataTypes.INT};

  /** How many keys or rows there are to choose from. */
  final int domain;

  private final Random random;
  private final boolean isKeyed;
  private final int keys;
  private final boolean isPartitioned;
  private final TableSchema schema;

  HistoryTable(Random random) {
    this.random = random;
    this.isKeyed = random.nextInt(4) > 0;
    this.domain = pick(8, 50, 200);
    boolean vectors = random.nextInt(5) < 2;
    DataType[] keyTypes = pick(KEYS);
    if (isKeyed && vectors && keyTypes == BYTES) {
      keyTypes = KEYS[0];
    }
    DataType[] valueTypes = pick(VALUES);
    this.isPartitioned = random.nextInt(3) == 0;
    List<DataField> fields = new ArrayList<>();
    List<String> primary = new ArrayList<>();
    this.keys = keyTypes.length;
    for (DataType type : keyTypes) {
      primary.add("k" + primary.size());
      fields.add(
          DataField.of(fields.size(), "k" + fields.size(), isKeyed ? type.asNotNull() : type));
    }
    if (isPartitioned) {
      primary.add("p");
      fields.add(DataField.of(fields.size(), "p", pick(PARTITIONS).asNotNull()));
    }
    for (DataType type : valueTypes) {
      fields.add(DataField.of(fields.size(), "v" + fields.size(), type));
    }
    HistoryOptions options = new HistoryOptions(random);
    this.schema =
        TestRows.schema(
            fields,
            isPartitioned ? List.of("p") : List.of(),
            isKeyed ? primary : List.of(),
            isKeyed ? options.keyed(vectors) : options.append(vectors));
  }

  TableSchema schema() {
    return schema;
  }

  boolean isKeyed() {
    return isKeyed;
  }

  boolean isPartitioned() {
    return isPartitioned;
  }

  /** The position of the partition column. */
  int partitionColumn() {
    return keys;
  }

  boolean hasVectors() {
    return "true".equals(schema.options().get("deletion-vectors.enabled"));
  }

  /** A row of each of these keys, all of {@code schema}'s columns. */
  List<List<Value>> rows(TableSchema newest, int count, int spread) {
    int from = random.nextInt(domain);
    List<List<Value>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int id = (from + (spread == 1 ? i : random.nextInt(spread))) % domain;
      List<Value> row = new ArrayList<>();
      for (int column = 0; column < newest.fields().size(); column++) {
        DataType type = newest.fields().get(column).type();
        row.add(value(type, column, id));
      }
      rows.add(row);
    }
    return rows;
  }

  private Value value(DataType type, int column, int id) {
    if (column < keys) {
      boolean isNull = !isKeyed && random.nextInt(8) == 0;
      int shared = column == 0 && keys > 1 ? id / 3 : id;
      return isNull ? Value.NULL : HistoryValues.of(type, shared);
    }
    if (isPartitioned && column == keys) {
      return HistoryValues.of(type, random.nextInt(3));
    }
    return random.nextInt(7) == 0 ? Value.NULL : HistoryValues.of(type, random.nextInt(1000));
  }

  @SafeVarargs
  final <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
