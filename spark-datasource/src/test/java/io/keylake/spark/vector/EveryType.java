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

package io.keylake.spark.vector;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Rows with a column of each type. */
final class EveryType {
  static final StructType TYPE =
      StructType.fromDDL(
          "bool BOOLEAN, i8 TINYINT, i16 SMALLINT, i32 INT, i64 BIGINT, f FLOAT, d DOUBLE,"
              + " dec5 DECIMAL(5,2), dec18 DECIMAL(18,3), dec30 DECIMAL(30,4), s STRING, b BINARY,"
              + " day DATE, at TIMESTAMP, local TIMESTAMP_NTZ, a ARRAY<STRING>, m MAP<STRING, INT>,"
              + " r STRUCT<x: INT, y: STRUCT<z: STRING, w: ARRAY<INT>>>");

  /** Every column is NULL in some rows, a struct is NULL as a whole or in its fields. */
  static InternalRow row(int n) {
    UTF8String text = UTF8String.fromString("text " + n);
    Object[] inner = {n % 3 == 0 ? null : text, new GenericArrayData(new int[] {n, n + 1})};
    Object[] struct = {n % 4 == 0 ? null : n, n % 5 == 0 ? null : new GenericInternalRow(inner)};
    Object[] values = {
      n % 2 == 0,
      (byte) n,
      (short) (n * 100),
      n * 1000,
      n * 1_000_000_000_000L,
      n / 3f,
      n / 7d,
      Decimal.apply(new BigDecimal(n).movePointLeft(2), 5, 2),
      Decimal.apply(new BigDecimal(n).movePointLeft(3), 18, 3),
      Decimal.apply(new BigDecimal("1234567890123456789012.0000").add(new BigDecimal(n)), 30, 4),
      text,
      ("bytes" + n).getBytes(StandardCharsets.UTF_8),
      n,
      n * 1_000_000L,
      -n * 1_000_000L,
      new GenericArrayData(n % 7 == 0 ? new Object[] {} : new Object[] {text, null}),
      new ArrayBasedMapData(
          new GenericArrayData(new Object[] {text}), new GenericArrayData(new Object[] {n})),
      n % 11 == 0 ? null : new GenericInternalRow(struct)
    };
    int nulled = n % (values.length + 3);
    if (nulled < values.length) {
      values[nulled] = null;
    }
    return new GenericInternalRow(values);
  }

  private EveryType() {}
}
