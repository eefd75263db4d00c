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

package io.keylake.format.manifest;

import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.Bytes;
import io.keylake.format.stats.ColumnStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads single values from an Avro decoder as the writer's schema lays them out: unions with null
 * and int for long are accepted wherever a value is expected. One instance serves one file, one
 * thread.
 */
final class AvroValues {
  private final Decoder in;
  private ByteBuffer scratch = ByteBuffer.allocate(256);
  private List<String> lastStrings = List.of();
  private BinaryRow lastRow = BinaryRow.EMPTY;

  AvroValues(Decoder in) {
    this.in = in;
  }

  Decoder decoder() {
    return in;
  }

  /** The branch of a union that follows, the schema itself if it is no union, null for NULL. */
  @Nullable Schema present(Schema schema) throws IOException {
    Schema branch = schema.isUnion() ? schema.getTypes().get(in.readIndex()) : schema;
    if (branch.getType() == Schema.Type.NULL) {
      in.readNull();
      return null;
    }
    return branch;
  }

  private Schema required(Schema schema) throws IOException {
    Schema branch = present(schema);
    if (branch == null) {
      throw new IOException("NULL where a value is required");
    }
    return branch;
  }

  void skip(Schema schema) throws IOException {
    GenericDatumReader.skip(schema, in);
  }

  long longValue(Schema schema) throws IOException {
    return number(required(schema));
  }

  int intValue(Schema schema) throws IOException {
    return Math.toIntExact(number(required(schema)));
  }

  @Nullable Long nullableLong(Schema schema) throws IOException {
    Schema branch = present(schema);
    return branch == null ? null : number(branch);
  }

  @Nullable Integer nullableInt(Schema schema) throws IOException {
    Schema branch = present(schema);
    return branch == null ? null : Math.toIntExact(number(branch));
  }

  private long number(Schema schema) throws IOException {
    return switch (schema.getType()) {
      case INT -> in.readInt();
      case LONG -> in.readLong();
      case RECORD, ENUM, ARRAY, MAP, UNION, FIXED, STRING, BYTES, FLOAT, DOUBLE, BOOLEAN, NULL ->
          throw new IOException("A number is stored as " + schema.getType());
    };
  }

  String string(Schema schema) throws IOException {
    required(schema);
    return in.readString();
  }

  @Nullable String nullableString(Schema schema) throws IOException {
    return present(schema) == null ? null : in.readString();
  }

  @Nullable Bytes nullableBytes(Schema schema) throws IOException {
    return present(schema) == null ? null : Bytes.wrap(in.readBytes(null).array());
  }

  /**
   * A row with its arity in front. Neighbouring records mostly repeat the same partition or the
   * empty row, so an equal row is given out again.
   */
  BinaryRow row(Schema schema) throws IOException {
    required(schema);
    scratch = in.readBytes(scratch);
    int length = scratch.remaining();
    if (length < Integer.BYTES + Long.BYTES) {
      throw new IOException("A row of " + length + " bytes");
    }
    int arity = scratch.getInt(0);
    byte[] bytes = scratch.array();
    byte[] last = lastRow.array();
    if (arity == lastRow.arity()
        && Arrays.equals(bytes, Integer.BYTES, length, last, 0, last.length)) {
      return lastRow;
    }
    lastRow = BinaryRow.wrap(arity, Arrays.copyOfRange(bytes, Integer.BYTES, length));
    return lastRow;
  }

  List<String> strings(Schema schema) throws IOException {
    required(schema);
    return readStrings();
  }

  @Nullable List<String> nullableStrings(Schema schema) throws IOException {
    return present(schema) == null ? null : readStrings();
  }

  private List<String> readStrings() throws IOException {
    List<String> read = List.of();
    for (long n = in.readArrayStart(); n != 0; n = in.arrayNext()) {
      for (long i = 0; i < n; i++) {
        if (read.isEmpty()) {
          read = new ArrayList<>();
        }
        read.add(in.readString());
      }
    }
    if (!read.equals(lastStrings)) {
      lastStrings = List.copyOf(read);
    }
    return lastStrings;
  }

  @Nullable List<Integer> nullableInts(Schema schema) throws IOException {
    Schema branch = present(schema);
    if (branch == null) {
      return null;
    }
    List<Integer> read = new ArrayList<>();
    Schema element = branch.getElementType();
    for (long n = in.readArrayStart(); n != 0; n = in.arrayNext()) {
      for (long i = 0; i < n; i++) {
        read.add(intValue(element));
      }
    }
    return read;
  }

  /** A statistics record. */
  ColumnStats stats(Schema schema) throws IOException {
    BinaryRow min = BinaryRow.EMPTY;
    BinaryRow max = BinaryRow.EMPTY;
    List<@Nullable Long> nulls = List.of();
    for (Schema.Field field : required(schema).getFields()) {
      switch (field.name()) {
        case ManifestFields.MIN_VALUES -> min = row(field.schema());
        case ManifestFields.MAX_VALUES -> max = row(field.schema());
        case ManifestFields.NULL_COUNTS -> nulls = nullCounts(field.schema());
        default -> skip(field.schema());
      }
    }
    boolean empty = min.arity() == 0 && max.arity() == 0 && nulls.isEmpty();
    return empty ? ColumnStats.EMPTY : new ColumnStats(min, max, nulls);
  }

  private List<@Nullable Long> nullCounts(Schema schema) throws IOException {
    Schema branch = present(schema);
    if (branch == null) {
      return List.of();
    }
    List<@Nullable Long> read = new ArrayList<>();
    Schema element = branch.getElementType();
    for (long n = in.readArrayStart(); n != 0; n = in.arrayNext()) {
      for (long i = 0; i < n; i++) {
        read.add(nullableLong(element));
      }
    }
    return read;
  }
}
