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
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeText;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.write.EngineColumn.Comparison;
import io.keylake.spark.write.EngineColumn.ValueSource;
import io.keylake.spark.write.EngineKind.Buckets;
import io.keylake.spark.write.HistoryValues.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a random table with a merge engine is like. Columns are keys, the partition, the change
 * kind, fields that order rows, then values.
 */
final class EngineTable {
  /** Name of the column that holds the change kind. */
  static final String KIND = "op";

  /** Who says that a column holds the kinds of rows. */
  enum KindColumn {
    NONE,
    OF_TABLE,
    OF_WRITE
  }

  /** Which rows the writers may take back. */
  enum Retracts {
    /** None: the engine fails on them. */
    NONE,
    /** All kinds, at any time. */
    ANY,
    /** Only -D. */
    DELETES,
    /** All kinds, of keys that have been added before. */
    OF_PRESENT
  }

  /**
   * A column.
   *
   * @param nulls one value in so many is NULL; 0 = none
   */
  private record Column(String name, DataType type, ValueSource values, int nulls) {}

  private final Random random;
  private final EngineKind kind;
  private final String engine;
  private final boolean hasVectors;
  private final String producer;
  private final KindColumn kindColumn;
  private final Map<String, String> options;
  private final List<Column> columns = new ArrayList<>();
  private final List<String> keys = new ArrayList<>();
  private final List<List<String>> groups = new ArrayList<>();
  private final Map<String, List<String>> protectedBy = new HashMap<>();
  private final Map<String, Comparison> comparisons = new HashMap<>();
  private final TableSchema schema;
  private Retracts retracts = Retracts.ANY;
  private boolean isPartitioned;

  /** A table without a changelog. */
  EngineTable(Random random, EngineKind kind) {
    this(random, kind, "none");
  }

  /** A table with a changelog producer. */
  EngineTable(Random random, String producer) {
    this(random, EngineKind.random(random, producer), producer);
  }

  private EngineTable(Random random, EngineKind kind, String producer) {
    this.random = random;
    this.kind = kind;
    this.producer = producer;
    this.engine = kind.engine().option();
    this.hasVectors = kind.hasVectors();
    this.options = new HistoryOptions(random).keyed(kind.buckets(), hasVectors);
    if (!producer.equals("none")) {
      changelog();
    }
    options.put("merge-engine", engine);
    addKeys();
    this.kindColumn =
        kind.isCrossPartition()
            ? pick(KindColumn.NONE, KindColumn.OF_WRITE)
            : pick(KindColumn.values());
    if (kindColumn != KindColumn.NONE) {
      add(new Column(KIND, DataTypes.STRING, any -> Value.NULL, 1));
    }
    if (kindColumn == KindColumn.OF_TABLE) {
      options.put("rowkind.field", KIND);
    }
    switch (engine) {
      case "deduplicate" -> deduplicate();
      case "first-row" -> firstRow();
      case "partial-update" -> partialUpdate();
      default -> aggregation();
    }
    if (kind.isCrossPartition() && !engine.equals("deduplicate")) {
      retracts = Retracts.NONE;
    }
    if (retracts == Retracts.ANY && !kind.isCrossPartition() && random.nextInt(6) == 0) {
      options.put("ignore-update-before", "true");
    }
    if (columns.stream().anyMatch(column -> column.type().root().isNested())
        || !comparisons.isEmpty()) {
      // The reference takes nested values for different that lie in another order or form.
      options.remove("changelog-producer.row-deduplicate");
    }
    this.schema = build();
  }

  private void changelog() {
    options.put("changelog-producer", producer);
    if (random.nextInt(3) == 0) {
      options.put("changelog-producer.row-deduplicate", "true");
    }
    if (producer.equals("full-compaction") && random.nextBoolean()) {
      options.put("full-compaction.delta-commits", "1");
    }
    if (random.nextInt(3) == 0) {
      options.put("changelog-file.format", pick("parquet", "orc", "avro"));
    }
    if (random.nextInt(3) == 0) {
      options.put("changelog-file.stats-mode", pick("none", "counts", "full"));
    }
  }

  private void addKeys() {
    boolean isNumber = kind.buckets() == Buckets.MOD;
    DataType[] types =
        isNumber ? pick(HistoryTable.KEYS[0], HistoryTable.KEYS[2]) : pick(HistoryTable.KEYS);
    if (types == HistoryTable.BYTES && hasLookup()) {
      types = HistoryTable.KEYS[0];
    }
    for (DataType type : types) {
      String name = "k" + keys.size();
      keys.add(name);
      add(new Column(name, type.asNotNull(), any -> Value.NULL, 0));
    }
    if (kind.isCrossPartition() || random.nextInt(4) == 0) {
      isPartitioned = true;
      if (!kind.isCrossPartition()) {
        keys.add("p");
      }
      add(new Column("p", pick(HistoryTable.PARTITIONS).asNotNull(), any -> Value.NULL, 0));
    }
  }

  private void deduplicate() {
    addSequence();
    addPlain(2 + random.nextInt(3));
    maybeIgnoreDelete(4);
  }

  private void firstRow() {
    addPlain(2 + random.nextInt(3));
    retracts = Retracts.NONE;
    maybeIgnoreDelete(2);
  }

  private void maybeIgnoreDelete(int oneOf) {
    if (!kind.isCrossPartition() && random.nextInt(oneOf) == 0) {
      String own = engine + ".ignore-delete";
      options.put(
          engine.equals("aggregation") ? "ignore-delete" : pick("ignore-delete", own), "true");
      retracts = Retracts.ANY;
    }
  }

  private void aggregation() {
    addSequence();
    boolean removes = random.nextInt(4) == 0;
    if (removes) {
      options.put("aggregation.remove-record-on-delete", "true");
    }
    Retracts some = hasLookup() ? Retracts.OF_PRESENT : Retracts.ANY;
    retracts = removes ? Retracts.DELETES : pick(Retracts.NONE, some);
    if (random.nextInt(3) == 0) {
      options.put("fields.default-aggregate-function", pick("last_value", "last_non_null_value"));
      addPlain(2);
    } else if (random.nextInt(3) == 0) {
      addPlain(1);
    }
    for (int count = 3 + random.nextInt(5); count > 0; count--) {
      addAggregated(columns().aggregated());
    }
    if (!removes) {
      maybeIgnoreDelete(8);
    }
  }

  private void partialUpdate() {
    addSequence();
    boolean grouped = random.nextInt(4) > 0;
    retracts = grouped ? Retracts.ANY : Retracts.NONE;
    addPlain(1 + random.nextInt(3));
    if (!grouped && random.nextBoolean()) {
      options.put("partial-update.remove-record-on-delete", "true");
      retracts = Retracts.ANY;
    } else if (!grouped) {
      maybeIgnoreDelete(2);
    }
    for (int count = grouped ? 1 + random.nextInt(2) : 0; count > 0; count--) {
      addGroup();
    }
    if (grouped && random.nextInt(3) == 0) {
      List<String> group = pick(groups);
      options.put(
          "partial-update.remove-record-on-sequence-group",
          random.nextBoolean() ? group.get(0) : String.join(",", group));
    } else if (grouped) {
      maybeIgnoreDelete(6);
    }
  }

  private void addGroup() {
    List<String> fields = new ArrayList<>();
    for (int count = 1 + random.nextInt(2); count > 0; count--) {
      fields.add(addOrdering("g", 4));
    }
    groups.add(fields);
    int first = columns.size();
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      addAggregated(random.nextBoolean() ? columns().plain() : columns().aggregated());
    }
    List<String> values =
        columns.subList(first, columns.size()).stream().map(Column::name).toList();
    values.forEach(value -> protectedBy.put(value, fields));
    options.put("fields." + String.join(",", fields) + ".sequence-group", String.join(",", values));
  }

  private EngineColumns columns() {
    return hasLookup() ? EngineColumns.ofLookup(random) : EngineColumns.of(random);
  }

  /** Columns by which rows are ordered. */
  private void addSequence() {
    if (!kind.engine().isBySequence()) {
      return;
    }
    List<String> fields = new ArrayList<>();
    for (int count = 1 + random.nextInt(2); count > 0; count--) {
      fields.add(addOrdering("s", 5));
    }
    options.put("sequence.field", String.join(",", fields));
    if (!kind.isPostponed() && random.nextInt(3) == 0) {
      options.put("sequence.field.sort-order", "descending");
    }
  }

  private String addOrdering(String prefix, int nulls) {
    DataType type = pick(DataTypes.INT, DataTypes.BIGINT, DataTypes.STRING, DataTypes.timestamp(6));
    String name = prefix + columns.size();
    add(new Column(name, type, EngineValues.few(type), nulls));
    return name;
  }

  private void addPlain(int count) {
    for (int i = 0; i < count; i++) {
      addAggregated(columns().plain());
    }
  }

  private void addAggregated(EngineColumn column) {
    String name = "v" + columns.size();
    String prefix = "fields." + name + ".";
    // A late NULL wipes the value in the reference.
    boolean neverNull = !groups.isEmpty() && column.function().matches("first_no.*");
    add(new Column(name, column.type(), column.values(), neverNull ? 0 : 5));
    if (column.comparison() != Comparison.TEXT) {
      comparisons.put(name, column.comparison());
    }
    if (!column.function().isEmpty()) {
      options.put(prefix + "aggregate-function", column.function());
    }
    column.settings().forEach((key, value) -> options.put(prefix + key, value));
    boolean mayRetract = retracts == Retracts.ANY || retracts == Retracts.OF_PRESENT;
    if (mayRetract && (!column.retracts() || mayIgnore(column) && random.nextInt(8) == 0)) {
      options.put(prefix + "ignore-retract", "true");
    }
  }

  /** In a sequence group, the option changes where the reference puts late elements. */
  private boolean mayIgnore(EngineColumn column) {
    return groups.isEmpty() || !column.function().equals("collect");
  }

  private void add(Column column) {
    columns.add(column);
  }

  private TableSchema build() {
    List<DataField> fields = new ArrayList<>();
    int[] nextId = {columns.size()};
    for (Column column : columns) {
      fields.add(DataField.of(fields.size(), column.name(), numbered(column.type(), nextId)));
    }
    return TestRows.schema(fields, isPartitioned ? List.of("p") : List.of(), keys, options);
  }

  private static DataType numbered(DataType type, int[] nextId) {
    if (type instanceof ArrayType array) {
      return new ArrayType(numbered(array.element(), nextId), array.nullable());
    }
    if (type instanceof MapType map) {
      return new MapType(
          numbered(map.key(), nextId), numbered(map.value(), nextId), map.nullable());
    }
    if (type instanceof RowType row) {
      List<DataField> fields = new ArrayList<>();
      for (DataField field : row.fields()) {
        int id = nextId[0]++;
        fields.add(DataField.of(id, field.name(), numbered(field.type(), nextId)));
      }
      return new RowType(fields, row.nullable());
    }
    return type;
  }

  TableSchema schema() {
    return schema;
  }

  Retracts retracts() {
    return retracts;
  }

  /** The columns whose text alone does not tell whether values are equal. */
  Map<String, Comparison> comparisons() {
    return comparisons;
  }

  /** Whether the reference merges even a lone row when it compacts. */
  boolean hasLookup() {
    return hidesLevelZero() || producer.equals("lookup");
  }

  /** Whether the reference hides level 0. */
  boolean hidesLevelZero() {
    return hasVectors || engine.equals("first-row");
  }

  /** Whether the first row of a key stands for it. */
  boolean keepsFirstRows() {
    return engine.equals("first-row");
  }

  /** Who writes the changelog. */
  String producer() {
    return producer;
  }

  /** The columns of the primary key. */
  List<String> keys() {
    return keys;
  }

  EngineKind kind() {
    return kind;
  }

  KindColumn kindColumn() {
    return kindColumn;
  }

  /** Whether rows are the same whenever files are compacted. */
  boolean isIndependent() {
    boolean isOfArrival = !kind.engine().isBySequence() && groups.isEmpty();
    boolean isAdding = retracts == Retracts.NONE && !hasLookup();
    return isOfArrival && (engine.equals("deduplicate") || isAdding) || engine.equals("first-row");
  }

  /** Whether the reference orders rows that are flushed together otherwise than it should. */
  boolean isDescending() {
    return "descending".equals(options.get("sequence.field.sort-order"));
  }

  /** Whether one row after the other may be flushed for several that are flushed together. */
  boolean isSplittable() {
    return engine.equals("deduplicate") && "true".equals(options.get("write-only"));
  }

  /** A random row of a key. */
  List<Value> row(int key, String kind) {
    Map<String, Value> row = new HashMap<>();
    int shared = keys.size() > 1 && !keys.get(1).equals("p") ? key / 3 : key;
    for (Column column : columns) {
      if (column.name().equals("k0")) {
        row.put("k0", HistoryValues.of(column.type(), shared));
      } else if (column.name().equals("p")) {
        int partition = this.kind.isCrossPartition() ? random.nextInt(2) : key % 2;
        row.put("p", HistoryValues.of(column.type(), partition));
      } else if (keys.contains(column.name())) {
        row.put(column.name(), HistoryValues.of(column.type(), key));
      } else if (column.name().equals(KIND)) {
        row.put(KIND, new Value(kind, "\"" + kind + "\""));
      } else {
        boolean isNull = column.nulls() > 0 && random.nextInt(column.nulls()) == 0;
        row.put(column.name(), isNull ? Value.NULL : column.values().next(random));
      }
    }
    if (hasLookup()) {
      clearSkippedGroups(row);
    }
    return columns.stream().map(column -> row.get(column.name())).toList();
  }

  /** Where all fields of a group are NULL, the reference drops the values of a lone row. */
  private void clearSkippedGroups(Map<String, Value> row) {
    protectedBy.forEach(
        (value, fields) -> {
          if (fields.stream().allMatch(field -> Value.NULL.equals(row.get(field)))) {
            row.put(value, Value.NULL);
          }
        });
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    schema
        .fields()
        .forEach(f -> text.append(f.name()).append(' ').append(TypeText.of(f.type())).append(", "));
    return text.append('\n')
        .append(kind)
        .append("\nkey ")
        .append(keys)
        .append(isPartitioned ? ", partition p" : "")
        .append("\n")
        .append(options)
        .append('\n')
        .toString();
  }
}
