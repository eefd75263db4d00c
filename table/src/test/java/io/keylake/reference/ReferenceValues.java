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

package io.keylake.reference;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.variant.GenericVariant;
import org.apache.paimon.data.variant.Variant;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.DeserializationFeature;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.paimon.shade.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.paimon.types.ArrayType;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeChecks;
import org.apache.paimon.types.DataTypeJsonParser;
import org.apache.paimon.types.DecimalType;
import org.apache.paimon.types.IntType;
import org.apache.paimon.types.MapType;
import org.apache.paimon.types.MultisetType;
import org.apache.paimon.types.RowType;

/** Type text, JSON to engine values, and engine values to canonical JSON text. */
@SuppressWarnings("all") // asks a foreign library through its raw types
public final class ReferenceValues {
  public static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private ReferenceValues() {}

  // ------------------------------------------------------------------ types

  /**
   * Parses e.g. {@code ARRAY<ROW<a INT, b MAP<STRING, DOUBLE>>> NOT NULL}; ids from {@code ids}.
   */
  public static DataType type(String text, AtomicInteger ids) {
    String s = text.trim();
    boolean notNull = false;
    String up = s.toUpperCase();
    if (up.endsWith(" NOT NULL")) {
      notNull = true;
      s = s.substring(0, s.length() - 9).trim();
      up = s.toUpperCase();
    }
    DataType t;
    int lt = s.indexOf('<');
    if (lt > 0 && s.endsWith(">")) {
      String head = up.substring(0, lt).trim();
      List<String> args = split(s.substring(lt + 1, s.length() - 1));
      switch (head) {
        case "ARRAY":
          t = new ArrayType(type(args.get(0), ids));
          break;
        case "MULTISET":
          t = new MultisetType(type(args.get(0), ids));
          break;
        case "MAP":
          t = new MapType(type(args.get(0), ids), type(args.get(1), ids));
          break;
        case "ROW":
          List<DataField> fs = new ArrayList<>();
          for (String a : args) {
            int sp = a.indexOf(' ');
            int id = ids.incrementAndGet();
            fs.add(new DataField(id, a.substring(0, sp), type(a.substring(sp + 1), ids)));
          }
          t = new RowType(fs);
          break;
        default:
          throw new IllegalArgumentException("type " + text);
      }
    } else {
      t = DataTypeJsonParser.parseAtomicTypeSQLString(s);
    }
    return t.copy(!notNull && t.isNullable());
  }

  public static DataType type(String text) {
    return type(text, new AtomicInteger(1_000_000));
  }

  static List<String> split(String s) {
    List<String> out = new ArrayList<>();
    int depth = 0, from = 0;
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '<' || c == '(') depth++;
      if (c == '>' || c == ')') depth--;
      if (c == ',' && depth == 0) {
        out.add(s.substring(from, i).trim());
        from = i + 1;
      }
    }
    out.add(s.substring(from).trim());
    return out;
  }

  // ------------------------------------------------------------------ in

  public static GenericRow row(JsonNode obj, RowType type) {
    GenericRow r = new GenericRow(type.getFieldCount());
    for (int i = 0; i < type.getFieldCount(); i++) {
      DataField f = type.getFields().get(i);
      JsonNode v = obj.isArray() ? obj.get(i) : obj.get(f.name());
      r.setField(i, in(v, f.type()));
    }
    return r;
  }

  public static Object in(JsonNode v, DataType t) {
    if (v == null || v.isNull()) return null;
    switch (t.getTypeRoot()) {
      case BOOLEAN:
        return v.isTextual() ? Boolean.valueOf(v.asText()) : (Object) v.booleanValue();
      case TINYINT:
        return (byte) num(v);
      case SMALLINT:
        return (short) num(v);
      case INTEGER:
        return (int) num(v);
      case BIGINT:
        return num(v);
      case FLOAT:
        return Float.parseFloat(v.asText());
      case DOUBLE:
        return Double.parseDouble(v.asText());
      case DECIMAL:
        DecimalType d = (DecimalType) t;
        Decimal dec =
            Decimal.fromBigDecimal(new BigDecimal(v.asText()), d.getPrecision(), d.getScale());
        if (dec == null) throw new IllegalArgumentException("decimal overflow " + v);
        return dec;
      case CHAR:
      case VARCHAR:
        return BinaryString.fromString(v.asText());
      case BINARY:
      case VARBINARY:
        return bytes(v.asText());
      case DATE:
        return v.isNumber() ? v.intValue() : (int) LocalDate.parse(v.asText()).toEpochDay();
      case TIME_WITHOUT_TIME_ZONE:
        return (int) (LocalTime.parse(v.asText()).toNanoOfDay() / 1_000_000L);
      case TIMESTAMP_WITHOUT_TIME_ZONE:
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        String s = v.asText().replace(' ', 'T');
        if (s.endsWith("Z")) s = s.substring(0, s.length() - 1);
        return Timestamp.fromLocalDateTime(LocalDateTime.parse(s));
      case ARRAY:
        return array(v, ((ArrayType) t).getElementType());
      case MAP:
        MapType m = (MapType) t;
        return map(v, m.getKeyType(), m.getValueType());
      case MULTISET:
        return map(v, ((MultisetType) t).getElementType(), new IntType());
      case ROW:
        return row(v, (RowType) t);
      case VARIANT:
        return GenericVariant.fromJson(v.isTextual() ? v.asText() : v.toString());
      default:
        throw new UnsupportedOperationException("type " + t);
    }
  }

  private static long num(JsonNode v) {
    return v.isTextual() ? Long.parseLong(v.asText()) : v.longValue();
  }

  static byte[] bytes(String s) {
    return s.startsWith("0x")
        ? HexFormat.of().parseHex(s.substring(2))
        : s.getBytes(StandardCharsets.UTF_8);
  }

  private static GenericArray array(JsonNode v, DataType e) {
    Object[] o = new Object[v.size()];
    for (int i = 0; i < o.length; i++) o[i] = in(v.get(i), e);
    return new GenericArray(o);
  }

  private static GenericMap map(JsonNode v, DataType k, DataType e) {
    Map<Object, Object> m = new HashMap<>();
    if (v.isArray()) {
      for (JsonNode p : v) m.put(in(p.get(0), k), in(p.get(1), e));
    } else {
      Iterator<Map.Entry<String, JsonNode>> it = v.fields();
      while (it.hasNext()) {
        Map.Entry<String, JsonNode> p = it.next();
        m.put(in(MAPPER.getNodeFactory().textNode(p.getKey()), k), in(p.getValue(), e));
      }
    }
    return new GenericMap(m);
  }

  // ------------------------------------------------------------------ out

  public static String out(InternalRow row, RowType type) {
    return out(row, type, "");
  }

  /** {@code extra}: already rendered leading members, e.g. {@code "\"_kind\":\"+I\""}. */
  public static String out(InternalRow row, RowType type, String extra) {
    StringBuilder b = new StringBuilder("{").append(extra);
    for (int i = 0; i < type.getFieldCount(); i++) {
      DataField f = type.getFields().get(i);
      if (b.length() > 1) b.append(',');
      quote(b, f.name());
      b.append(':');
      Object o = InternalRow.createFieldGetter(f.type(), i).getFieldOrNull(row);
      out(b, o, f.type());
    }
    return b.append('}').toString();
  }

  public static String text(Object o, DataType t) {
    StringBuilder b = new StringBuilder();
    out(b, o, t);
    return b.toString();
  }

  static void out(StringBuilder b, Object o, DataType t) {
    if (o == null) {
      b.append("null");
      return;
    }
    switch (t.getTypeRoot()) {
      case BOOLEAN:
      case TINYINT:
      case SMALLINT:
      case INTEGER:
      case BIGINT:
        b.append(o);
        return;
      case FLOAT:
        float f = (Float) o;
        if (Float.isNaN(f) || Float.isInfinite(f)) quote(b, Float.toString(f));
        else b.append(Float.toString(f));
        return;
      case DOUBLE:
        double d = (Double) o;
        if (Double.isNaN(d) || Double.isInfinite(d)) quote(b, Double.toString(d));
        else b.append(Double.toString(d));
        return;
      case DECIMAL:
        BigDecimal bd = ((Decimal) o).toBigDecimal();
        quote(b, bd.setScale(((DecimalType) t).getScale()).toPlainString());
        return;
      case CHAR:
      case VARCHAR:
        quote(b, o.toString());
        return;
      case BINARY:
      case VARBINARY:
        quote(b, "0x" + HexFormat.of().formatHex((byte[]) o));
        return;
      case DATE:
        quote(b, LocalDate.ofEpochDay((Integer) o).toString());
        return;
      case TIME_WITHOUT_TIME_ZONE:
        quote(b, time(LocalTime.ofNanoOfDay((Integer) o * 1_000_000L), 3));
        return;
      case TIMESTAMP_WITHOUT_TIME_ZONE:
        quote(b, ts((Timestamp) o));
        return;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
        quote(b, ts((Timestamp) o) + "Z");
        return;
      case ARRAY:
        {
          InternalArray a = (InternalArray) o;
          DataType e = ((ArrayType) t).getElementType();
          InternalArray.ElementGetter g = InternalArray.createElementGetter(e);
          b.append('[');
          for (int i = 0; i < a.size(); i++) {
            if (i > 0) b.append(',');
            out(b, g.getElementOrNull(a, i), e);
          }
          b.append(']');
          return;
        }
      case MAP:
      case MULTISET:
        {
          InternalMap m = (InternalMap) o;
          DataType k =
              t instanceof MapType
                  ? ((MapType) t).getKeyType()
                  : ((MultisetType) t).getElementType();
          DataType v = t instanceof MapType ? ((MapType) t).getValueType() : new IntType();
          InternalArray.ElementGetter kg = InternalArray.createElementGetter(k);
          InternalArray.ElementGetter vg = InternalArray.createElementGetter(v);
          String[] es = new String[m.size()];
          for (int i = 0; i < es.length; i++) {
            StringBuilder p = new StringBuilder("[");
            out(p, kg.getElementOrNull(m.keyArray(), i), k);
            p.append(',');
            out(p, vg.getElementOrNull(m.valueArray(), i), v);
            es[i] = p.append(']').toString();
          }
          Arrays.sort(es, ReferenceValues::compareUtf8);
          b.append('[').append(String.join(",", es)).append(']');
          return;
        }
      case ROW:
        b.append(out((InternalRow) o, (RowType) t));
        return;
      case VARIANT:
        quote(b, ((Variant) o).toJson());
        return;
      case BLOB:
        quote(b, "0x" + HexFormat.of().formatHex(((org.apache.paimon.data.Blob) o).toData()));
        return;
      default:
        throw new UnsupportedOperationException("type " + t);
    }
  }

  static String time(LocalTime t, int digits) {
    String frac = String.format("%09d", t.getNano()).substring(0, digits);
    return String.format("%02d:%02d:%02d.%s", t.getHour(), t.getMinute(), t.getSecond(), frac);
  }

  static String ts(Timestamp t) {
    LocalDateTime l = t.toLocalDateTime();
    return l.toLocalDate() + "T" + time(l.toLocalTime(), 9);
  }

  static void quote(StringBuilder b, String s) {
    b.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '"':
          b.append("\\\"");
          break;
        case '\\':
          b.append("\\\\");
          break;
        case '\n':
          b.append("\\n");
          break;
        case '\r':
          b.append("\\r");
          break;
        case '\t':
          b.append("\\t");
          break;
        default:
          if (c < 0x20 || c == 0x7f) b.append(String.format("\\u%04x", (int) c));
          else b.append(c);
      }
    }
    b.append('"');
  }

  /** The order of {@code LC_ALL=C sort}. */
  public static int compareUtf8(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  public static int precision(DataType t) {
    return DataTypeChecks.getPrecision(t);
  }
}
