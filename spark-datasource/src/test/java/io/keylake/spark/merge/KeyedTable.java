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

package io.keylake.spark.merge;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.datafile.FileSource;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.format.deletionvector.VectorVersion;
import io.keylake.format.index.DeletionVectorFile;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.SystemColumns;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.stats.ColumnStats;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.table.split.StoredVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * A primary-key table for tests: key columns of a shape, then {@code n BIGINT}, {@code s STRING},
 * {@code o INT}. Writes data files as the format lays them out, with Parquet's own writer.
 */
final class KeyedTable {
  static final int NUMBER_ID = 100;
  static final int TEXT_ID = 101;
  static final int ORDER_ID = 102;

  private final Path folder;
  private final KeyShape shape;
  private final TableSchema schema;
  private final Comparator<Version> byKey;
  private final UnaryOperator<ExampleParquetWriter.Builder> settings;
  private int files;

  /** A file of the table with its rows as they lie in it. */
  record Written(String path, DataFile file, List<Version> rows) {}

  KeyedTable(
      Path folder,
      KeyShape shape,
      Map<String, String> options,
      UnaryOperator<ExampleParquetWriter.Builder> settings) {
    this.folder = folder;
    this.shape = shape;
    this.settings = settings;
    List<DataField> fields = new ArrayList<>(shape.type().fields());
    fields.add(DataField.of(NUMBER_ID, "n", DataTypes.BIGINT));
    fields.add(DataField.of(TEXT_ID, "s", DataTypes.STRING));
    fields.add(DataField.of(ORDER_ID, "o", DataTypes.INT));
    schema =
        new TableSchema(
            TableSchema.CURRENT_VERSION,
            0,
            fields,
            ORDER_ID,
            List.of(),
            shape.type().names(),
            options,
            null,
            0,
            UnknownKeys.NONE);
    KeyComparator keys = KeyComparator.of(shape.type());
    byKey = Comparator.comparing(this::keyOf, keys);
  }

  TableSchema schema() {
    return schema;
  }

  private BinaryRow keyOf(Version version) {
    return BinaryRowCodec.of(shape.type()).encode(version.key());
  }

  /** Writes {@code rows}, whose keys differ, as one file of {@code level}. */
  Written write(int level, List<Version> rows) throws IOException {
    List<Version> sorted = rows.stream().sorted(byKey).toList();
    Path path = folder.resolve("data-" + files++ + "-0.parquet");
    MessageType type = messageType();
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withConf(new Configuration(false))
            .withType(type);
    try (ParquetWriter<Group> writer = settings.apply(builder).build()) {
      for (Version row : sorted) {
        writer.write(group(type, row));
      }
    }
    DataFile file =
        new DataFile(
            path.getFileName().toString(),
            Files.size(path),
            sorted.size(),
            keyOf(sorted.get(0)),
            keyOf(sorted.get(sorted.size() - 1)),
            ColumnStats.EMPTY,
            ColumnStats.EMPTY,
            sorted.stream().mapToLong(Version::sequence).min().orElseThrow(),
            sorted.stream().mapToLong(Version::sequence).max().orElseThrow(),
            0,
            level,
            List.of(),
            0L,
            sorted.stream().filter(row -> row.kind().isRetract()).count(),
            null,
            FileSource.APPEND,
            List.of(),
            null,
            null,
            null);
    return new Written("file:" + path, file, sorted);
  }

  private MessageType messageType() {
    Types.MessageTypeBuilder builder = Types.buildMessage();
    for (DataField field : shape.type().fields()) {
      add(builder, SystemColumns.keyColumn(field).name(), field);
    }
    add(builder, SystemColumns.SEQUENCE_NUMBER.name(), SystemColumns.SEQUENCE_NUMBER);
    builder
        .required(PrimitiveTypeName.INT32)
        .as(LogicalTypeAnnotation.intType(8, true))
        .named(SystemColumns.VALUE_KIND.name());
    schema.fields().forEach(field -> add(builder, field.name(), field));
    return builder.named("paimon_schema");
  }

  private static void add(Types.GroupBuilder<MessageType> builder, String name, DataField field) {
    boolean optional = field.type().nullable();
    switch (field.type().root()) {
      case BIGINT -> column(builder, PrimitiveTypeName.INT64, optional).named(name);
      case INT -> column(builder, PrimitiveTypeName.INT32, optional).named(name);
      case DOUBLE -> column(builder, PrimitiveTypeName.DOUBLE, optional).named(name);
      default ->
          column(builder, PrimitiveTypeName.BINARY, optional)
              .as(LogicalTypeAnnotation.stringType())
              .named(name);
    }
  }

  private static Types.PrimitiveBuilder<Types.GroupBuilder<MessageType>> column(
      Types.GroupBuilder<MessageType> builder, PrimitiveTypeName type, boolean optional) {
    return optional ? builder.optional(type) : builder.required(type);
  }

  private Group group(MessageType type, Version row) {
    SimpleGroup group = new SimpleGroup(type);
    RowType keys = shape.type();
    for (int i = 0; i < keys.size(); i++) {
      add(group, SystemColumns.keyColumn(keys.field(i)).name(), row.key().get(i));
      add(group, keys.field(i).name(), row.key().get(i));
    }
    group.add(SystemColumns.SEQUENCE_NUMBER.name(), row.sequence());
    group.add(SystemColumns.VALUE_KIND.name(), (int) row.kind().code());
    group.add("n", row.number());
    if (row.text() != null) {
      group.add("s", row.text());
    }
    if (row.order() != null) {
      group.add("o", row.order());
    }
    return group;
  }

  private static void add(Group group, String name, Object value) {
    if (value instanceof Long number) {
      group.add(name, number);
    } else if (value instanceof Integer number) {
      group.add(name, number);
    } else if (value instanceof Double number) {
      group.add(name, number);
    } else {
      group.add(name, value.toString());
    }
  }

  /** Stores a deletion vector of these positions of {@code written}. */
  StoredVector delete(Written written, long... positions) throws IOException {
    DeletionVectorFile stored =
        DeletionVectorFile.encode(
            Map.of(written.file().name(), DeletionVector.of(positions)), VectorVersion.V1);
    Path path = folder.resolve("index-" + files++);
    Files.write(path, stored.content());
    return new StoredVector("file:" + path, stored.vectors().get(0));
  }
}
