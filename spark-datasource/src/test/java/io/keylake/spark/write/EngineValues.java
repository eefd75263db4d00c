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

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.spark.write.EngineColumn.ValueSource;
import io.keylake.spark.write.HistoryValues.Value;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.theta.UpdateSketch;
import org.apache.spark.sql.RowFactory;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** Random values for columns that aggregate functions combine. */
final class EngineValues {
  private static final String[] EXACT_FACTORS = {"1.00", "2.00", "-0.50", "4.00", "2.50"};
  private static final String[] TEXTS = {"a", "b", "c,a", "a,,b", "", "é|x", "x;y", " "};

  private EngineValues() {}

  /** One of some 60 values of a scalar type. */
  static ValueSource scalars(DataType type) {
    return random -> HistoryValues.of(type, random.nextInt(60));
  }

  /** One of few values, so that they are often equal. */
  static ValueSource few(DataType type) {
    return random -> HistoryValues.of(type, 40 + random.nextInt(6));
  }

  /**
   * Numbers by which products can be divided again: never 0, not even when integers wrap around,
   * and with a quotient of few digits.
   */
  static ValueSource factors(DataType type) {
    if (type.root() == TypeRoot.DECIMAL) {
      return random -> {
        String text = EXACT_FACTORS[random.nextInt(EXACT_FACTORS.length)];
        return new Value(new java.math.BigDecimal(text), "\"" + text + "\"");
      };
    }
    return random -> HistoryValues.of(type, 1 + 2 * random.nextInt(30));
  }

  /** Texts with delimiters in them, and the empty text. */
  static Value text(Random random) {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return new Value(text, "\"" + text + "\"");
  }

  /** Short arrays. */
  static ValueSource arrays(ValueSource elements) {
    return random -> {
      List<Value> values = new ArrayList<>();
      for (int size = random.nextInt(4); size > 0; size--) {
        values.add(random.nextInt(9) == 0 ? Value.NULL : elements.next(random));
      }
      return array(values);
    };
  }

  /** Short arrays in which no element is there twice. */
  static ValueSource distinctArrays(ValueSource elements) {
    return random -> {
      Map<String, Value> values = new LinkedHashMap<>();
      for (int size = random.nextInt(4); size > 0; size--) {
        Value value = elements.next(random);
        values.put(value.text(), value);
      }
      return array(List.copyOf(values.values()));
    };
  }

  private static Value array(List<Value> values) {
    List<Object> spark = new ArrayList<>();
    StringJoiner text = new StringJoiner(",", "[", "]");
    for (Value value : values) {
      spark.add(value.spark());
      text.add(value.text());
    }
    return new Value(spark, text.toString());
  }

  /** Short maps. */
  static ValueSource maps(ValueSource keys, ValueSource values) {
    return random -> {
      Map<Object, Object> spark = new LinkedHashMap<>();
      Map<String, String> texts = new LinkedHashMap<>();
      for (int size = random.nextInt(4); size > 0; size--) {
        Value key = keys.next(random);
        Value value = random.nextInt(6) == 0 ? Value.NULL : values.next(random);
        spark.put(key.spark(), value.spark());
        texts.put(key.text(), value.text());
      }
      StringJoiner text = new StringJoiner(",", "[", "]");
      texts.forEach((key, value) -> text.add("[" + key + "," + value + "]"));
      return new Value(spark, text.toString());
    };
  }

  /** Nested rows whose first field is one of few values and never NULL; others may be. */
  static ValueSource rows(RowType type) {
    return random -> {
      Object[] spark = new Object[type.size()];
      StringJoiner text = new StringJoiner(",", "{", "}");
      for (int i = 0; i < spark.length; i++) {
        DataField field = type.field(i);
        Value value = i > 0 && random.nextInt(4) == 0 ? Value.NULL : few(field.type()).next(random);
        spark[i] = value.spark();
        text.add("\"" + field.name() + "\":" + value.text());
      }
      return new Value(RowFactory.create(spark), text.toString());
    };
  }

  /** Bitmaps of a few integers. */
  static Value roaring32(Random random) {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (int size = random.nextInt(5); size > 0; size--) {
      bitmap.add(random.nextInt(100_000));
    }
    return serialized(bitmap::serialize);
  }

  /** Bitmaps of a few long integers. */
  static Value roaring64(Random random) {
    Roaring64Bitmap bitmap = new Roaring64Bitmap();
    for (int size = random.nextInt(5); size > 0; size--) {
      bitmap.addLong(random.nextLong(40) << random.nextInt(40));
    }
    return serialized(bitmap::serialize);
  }

  private interface Serialized {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static Value serialized(Serialized value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      value.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes(bytes.toByteArray());
  }

  /** Sketches of a few integers. */
  static Value hll(Random random) {
    HllSketch sketch = new HllSketch();
    for (int size = random.nextInt(6); size > 0; size--) {
      sketch.update(random.nextInt(30));
    }
    return bytes(sketch.toCompactByteArray());
  }

  /** Sketches of a few integers. */
  static Value theta(Random random) {
    UpdateSketch sketch = UpdateSketch.builder().build();
    for (int size = random.nextInt(6); size > 0; size--) {
      sketch.update(random.nextInt(30));
    }
    return bytes(sketch.compact().toByteArray());
  }

  private static Value bytes(byte[] bytes) {
    return new Value(bytes, "\"0x" + HexFormat.of().formatHex(bytes) + "\"");
  }
}
