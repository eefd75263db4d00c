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
import java.util.List;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Writes single values to an Avro encoder; nullable ones as the union of null and the type. */
final class AvroFields {
  private AvroFields() {}

  static void row(BinaryRow row, Encoder out) throws IOException {
    byte[] content = row.array();
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + content.length);
    bytes.putInt(row.arity()).put(content).flip();
    out.writeBytes(bytes);
  }

  static void nullable(@Nullable Long value, Encoder out) throws IOException {
    out.writeIndex(value == null ? 0 : 1);
    if (value != null) {
      out.writeLong(value);
    }
  }

  static void nullable(@Nullable Integer value, Encoder out) throws IOException {
    out.writeIndex(value == null ? 0 : 1);
    if (value != null) {
      out.writeInt(value);
    }
  }

  static void nullable(@Nullable String value, Encoder out) throws IOException {
    out.writeIndex(value == null ? 0 : 1);
    if (value != null) {
      out.writeString(value);
    }
  }

  static void nullable(@Nullable Bytes value, Encoder out) throws IOException {
    out.writeIndex(value == null ? 0 : 1);
    if (value != null) {
      out.writeBytes(value.array());
    }
  }

  static void nullableStrings(@Nullable List<String> values, Encoder out) throws IOException {
    out.writeIndex(values == null ? 0 : 1);
    if (values != null) {
      strings(values, out);
    }
  }

  static void strings(List<String> values, Encoder out) throws IOException {
    out.writeArrayStart();
    out.setItemCount(values.size());
    for (String value : values) {
      out.startItem();
      out.writeString(value);
    }
    out.writeArrayEnd();
  }

  static void nullableInts(@Nullable List<Integer> values, Encoder out) throws IOException {
    out.writeIndex(values == null ? 0 : 1);
    if (values == null) {
      return;
    }
    out.writeArrayStart();
    out.setItemCount(values.size());
    for (int value : values) {
      out.startItem();
      out.writeInt(value);
    }
    out.writeArrayEnd();
  }

  static void stats(ColumnStats stats, Encoder out) throws IOException {
    row(stats.minValues(), out);
    row(stats.maxValues(), out);
    out.writeIndex(1);
    out.writeArrayStart();
    out.setItemCount(stats.nullCounts().size());
    for (Long count : stats.nullCounts()) {
      out.startItem();
      nullable(count, out);
    }
    out.writeArrayEnd();
  }
}
