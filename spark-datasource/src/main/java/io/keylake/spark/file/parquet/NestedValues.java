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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.types.ArrayType;
import io.keylake.format.types.AtomicType;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.MapType;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.VariantVal;

/**
 * Writes the values of one node of a nested column with their repetition and definition levels. The
 * tree mirrors the type; its leaves hold Parquet's column writers.
 */
abstract class NestedValues {
  private final String path;
  private final boolean nullable;

  private NestedValues(String path, boolean nullable) {
    this.path = path;
    this.nullable = nullable;
  }

  /** The writer of a top-level column. */
  static NestedValues of(String name, DataType type, MessageType message, ColumnWriteStore store) {
    return new Tree(message, store).node(new String[] {name}, type, type.nullable());
  }

  /**
   * Writes the value at {@code ordinal} of {@code from}.
   *
   * @param definition the level at which the parent is defined
   */
  final void write(SpecializedGetters from, int ordinal, int repetition, int definition) {
    if (!from.isNullAt(ordinal)) {
      writeValue(from, ordinal, repetition, nullable ? definition + 1 : definition);
    } else if (nullable) {
      writeNull(repetition, definition);
    } else {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_VALUE,
          "NULL in "
              + path
              + ", which is declared NOT NULL (a map's keys never are NULL). Filter or replace"
              + " such values.");
    }
  }

  abstract void writeValue(SpecializedGetters from, int ordinal, int repetition, int definition);

  /** Writes that there is no value, defined up to {@code definition}. */
  abstract void writeNull(int repetition, int definition);

  /** What all nodes of a column share. */
  private record Tree(MessageType message, ColumnWriteStore store) {
    NestedValues node(String[] path, DataType type, boolean nullable) {
      if (type instanceof RowType row) {
        List<NestedValues> children = new ArrayList<>();
        row.fields()
            .forEach(
                child ->
                    children.add(
                        node(append(path, child.name()), child.type(), child.type().nullable())));
        return new Struct(path, nullable, children);
      }
      if (type instanceof ArrayType array) {
        String[] list = append(path, "list");
        DataType element = array.element();
        return new Repeated(
            path,
            nullable,
            message.getMaxRepetitionLevel(list),
            List.of(node(append(list, "element"), element, element.nullable())));
      }
      if (type instanceof MapType map) {
        return map(path, nullable, map.key(), map.value());
      }
      if (type instanceof MultisetType multiset) {
        return map(path, nullable, multiset.element(), DataTypes.INT.asNotNull());
      }
      if (type.root() == TypeRoot.VARIANT) {
        return new Variant(
            path, nullable, writer(append(path, "value")), writer(append(path, "metadata")));
      }
      AtomicType atomic = (AtomicType) type;
      return new Leaf(
          path,
          nullable,
          writer(path),
          message.getMaxDefinitionLevel(path),
          AtomicValue.of(atomic));
    }

    private NestedValues map(String[] path, boolean nullable, DataType key, DataType value) {
      String[] entry = append(path, "key_value");
      return new Repeated(
          path,
          nullable,
          message.getMaxRepetitionLevel(entry),
          List.of(
              node(append(entry, "key"), key, false),
              node(append(entry, "value"), value, value.nullable())));
    }

    private ColumnWriter writer(String[] path) {
      return store.getColumnWriter(message.getColumnDescription(path));
    }

    private static String[] append(String[] path, String name) {
      String[] longer = java.util.Arrays.copyOf(path, path.length + 1);
      longer[path.length] = name;
      return longer;
    }
  }

  private static final class Leaf extends NestedValues {
    private final ColumnWriter writer;
    private final int maxDefinition;
    private final AtomicValue value;

    Leaf(
        String[] path,
        boolean nullable,
        ColumnWriter writer,
        int maxDefinition,
        AtomicValue value) {
      super(String.join(".", path), nullable);
      this.writer = writer;
      this.maxDefinition = maxDefinition;
      this.value = value;
    }

    @Override
    void writeValue(SpecializedGetters from, int ordinal, int repetition, int definition) {
      value.write(from, ordinal, writer, repetition, maxDefinition);
    }

    @Override
    void writeNull(int repetition, int definition) {
      writer.writeNull(repetition, definition);
    }
  }

  private static final class Variant extends NestedValues {
    private final ColumnWriter valueWriter;
    private final ColumnWriter metadataWriter;

    Variant(
        String[] path, boolean nullable, ColumnWriter valueWriter, ColumnWriter metadataWriter) {
      super(String.join(".", path), nullable);
      this.valueWriter = valueWriter;
      this.metadataWriter = metadataWriter;
    }

    @Override
    void writeValue(SpecializedGetters from, int ordinal, int repetition, int definition) {
      VariantVal variant = from.getVariant(ordinal);
      valueWriter.write(AtomicValue.constant(variant.getValue()), repetition, definition);
      metadataWriter.write(AtomicValue.constant(variant.getMetadata()), repetition, definition);
    }

    @Override
    void writeNull(int repetition, int definition) {
      valueWriter.writeNull(repetition, definition);
      metadataWriter.writeNull(repetition, definition);
    }
  }

  private static final class Struct extends NestedValues {
    private final NestedValues[] children;

    Struct(String[] path, boolean nullable, List<NestedValues> children) {
      super(String.join(".", path), nullable);
      this.children = children.toArray(new NestedValues[0]);
    }

    @Override
    void writeValue(SpecializedGetters from, int ordinal, int repetition, int definition) {
      InternalRow row = from.getStruct(ordinal, children.length);
      for (int i = 0; i < children.length; i++) {
        children[i].write(row, i, repetition, definition);
      }
    }

    @Override
    void writeNull(int repetition, int definition) {
      for (NestedValues child : children) {
        child.writeNull(repetition, definition);
      }
    }
  }

  /** An array (one child) or a map (key and value). */
  private static final class Repeated extends NestedValues {
    private final int ownRepetition;
    private final NestedValues[] children;

    Repeated(String[] path, boolean nullable, int ownRepetition, List<NestedValues> children) {
      super(String.join(".", path), nullable);
      this.ownRepetition = ownRepetition;
      this.children = children.toArray(new NestedValues[0]);
    }

    @Override
    void writeValue(SpecializedGetters from, int ordinal, int repetition, int definition) {
      if (children.length == 1) {
        writeAll(children[0], from.getArray(ordinal), repetition, definition);
      } else {
        MapData map = from.getMap(ordinal);
        writeAll(children[0], map.keyArray(), repetition, definition);
        writeAll(children[1], map.valueArray(), repetition, definition);
      }
    }

    private void writeAll(NestedValues child, ArrayData array, int repetition, int definition) {
      int size = array.numElements();
      if (size == 0) {
        child.writeNull(repetition, definition);
      }
      for (int i = 0; i < size; i++) {
        child.write(array, i, i == 0 ? repetition : ownRepetition, definition + 1);
      }
    }

    @Override
    void writeNull(int repetition, int definition) {
      for (NestedValues child : children) {
        child.writeNull(repetition, definition);
      }
    }
  }
}
