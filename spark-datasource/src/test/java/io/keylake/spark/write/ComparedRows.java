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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.reference.ReferenceValues;
import io.keylake.spark.write.EngineColumn.Comparison;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.Sketches;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Rows as text that is equal when the rows are, see {@link Comparison}. */
final class ComparedRows {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final Map<String, Comparison> columns;

  /**
   * Rows of a table.
   *
   * @param columns the columns, by name, whose text alone does not tell
   */
  ComparedRows(Map<String, Comparison> columns) {
    this.columns = Map.copyOf(columns);
  }

  List<String> of(List<String> lines) throws IOException {
    if (columns.isEmpty()) {
      return lines;
    }
    List<String> rows = new ArrayList<>();
    for (String line : lines) {
      ObjectNode row = (ObjectNode) JSON.readTree(line);
      for (Map.Entry<String, Comparison> column : columns.entrySet()) {
        JsonNode value = row.get(column.getKey());
        if (!value.isNull()) {
          row.put(column.getKey(), text(value, column.getValue()));
        }
      }
      rows.add(row.toString());
    }
    rows.sort(ReferenceValues::compareUtf8);
    return rows;
  }

  private static String text(JsonNode value, Comparison comparison) throws IOException {
    return switch (comparison) {
      case TEXT -> value.toString();
      case TIME ->
          value.isInt()
              ? TIME.format(LocalTime.ofNanoOfDay(value.intValue() * 1_000_000L))
              : value.textValue();
      case ELEMENTS -> {
        List<String> elements = new ArrayList<>();
        value.forEach(element -> elements.add(element.toString()));
        elements.sort(null);
        yield elements.toString();
      }
      case ROARING_32 -> {
        RoaringBitmap bitmap = new RoaringBitmap();
        bitmap.deserialize(ByteBuffer.wrap(bytes(value)));
        yield bitmap.toString();
      }
      case ROARING_64 -> {
        Roaring64Bitmap bitmap = new Roaring64Bitmap();
        bitmap.deserialize(new DataInputStream(new ByteArrayInputStream(bytes(value))));
        yield Arrays.toString(bitmap.toArray());
      }
      case HLL -> "about " + Math.round(HllSketch.heapify(bytes(value)).getEstimate());
      case THETA -> "about " + Math.round(Sketches.getEstimate(Memory.wrap(bytes(value))));
    };
  }

  private static byte[] bytes(JsonNode value) {
    return HexFormat.of().parseHex(value.textValue().substring(2));
  }
}
