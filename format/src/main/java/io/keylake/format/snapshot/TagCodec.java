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

package io.keylake.format.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keylake.format.schema.JsonFile;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a tag: those of its snapshot and, only with a retention, {@code tagCreateTime}
 * (array of year, month, day, hour, minute, second, nanosecond, zeros at the end dropped) and
 * {@code tagTimeRetained} (seconds as a decimal of nine fraction digits). ISO text is read too.
 *
 * <p>Rule source: table format, tags; pinned by {@code SnapshotCodecTest}.
 */
final class TagCodec {
  private static final String CREATE_TIME = "tagCreateTime";
  private static final String TIME_RETAINED = "tagTimeRetained";
  private static final int MIN_PARTS = 5;
  private static final int NANO_DIGITS = 9;

  private TagCodec() {}

  static Tag read(String name, byte[] content, String path) {
    JsonFile json = JsonFile.parse(content, path);
    Snapshot snapshot = SnapshotCodec.read(json, Set.of(CREATE_TIME, TIME_RETAINED));
    try {
      return new Tag(
          name, snapshot, createTime(json.node(CREATE_TIME)), retained(json.node(TIME_RETAINED)));
    } catch (DateTimeException | ArithmeticException e) {
      throw JsonFile.corrupt(path, "its creation time or retention cannot be understood", e);
    }
  }

  private static @Nullable LocalDateTime createTime(@Nullable JsonNode node) {
    if (node == null) {
      return null;
    }
    if (!node.isArray()) {
      return LocalDateTime.parse(node.asText());
    }
    if (node.size() < MIN_PARTS) {
      throw new DateTimeException("Only " + node.size() + " parts of a time");
    }
    return LocalDateTime.of(
        node.get(0).asInt(),
        node.get(1).asInt(),
        node.get(2).asInt(),
        node.get(3).asInt(),
        node.get(4).asInt(),
        node.path(5).asInt(0),
        node.path(6).asInt(0));
  }

  private static @Nullable Duration retained(@Nullable JsonNode node) {
    if (node == null) {
      return null;
    }
    if (!node.isNumber()) {
      return Duration.parse(node.asText());
    }
    BigDecimal nanos = node.decimalValue().movePointRight(NANO_DIGITS);
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
  }

  static byte[] write(Tag tag) {
    ObjectNode json = SnapshotCodec.toJson(tag.snapshot());
    LocalDateTime time = tag.createTime();
    if (time != null) {
      ArrayNode parts = json.putArray(CREATE_TIME);
      parts.add(time.getYear()).add(time.getMonthValue()).add(time.getDayOfMonth());
      parts.add(time.getHour()).add(time.getMinute());
      int second = time.getSecond();
      int nano = time.getNano();
      if (second != 0 || nano != 0) {
        parts.add(second);
      }
      if (nano != 0) {
        parts.add(nano);
      }
    }
    Duration retained = tag.timeRetained();
    if (retained != null) {
      BigDecimal seconds =
          BigDecimal.valueOf(retained.getSeconds())
              .add(BigDecimal.valueOf(retained.getNano(), NANO_DIGITS));
      json.put(TIME_RETAINED, seconds.setScale(NANO_DIGITS, RoundingMode.UNNECESSARY));
    }
    return JsonFile.write(json);
  }
}
