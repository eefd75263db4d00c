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

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Primary keys of test tables: key columns have ids from 0 on. */
enum KeyShape {
  LONG(List.of(DataTypes.BIGINT)),
  INT(List.of(DataTypes.INT)),
  INT_LONG(List.of(DataTypes.INT, DataTypes.BIGINT)),
  STRING(List.of(DataTypes.STRING)),
  STRING_INT(List.of(DataTypes.STRING, DataTypes.INT)),
  DOUBLE(List.of(DataTypes.DOUBLE)),
  LONG_INT_STRING(List.of(DataTypes.BIGINT, DataTypes.INT, DataTypes.STRING));

  private final List<DataType> types;

  KeyShape(List<? extends DataType> types) {
    this.types = types.stream().map(DataType::asNotNull).toList();
  }

  RowType type() {
    List<DataField> fields = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      fields.add(DataField.of(i, "k" + i, types.get(i)));
    }
    return RowType.of(fields);
  }

  /** One of about {@code space} keys. */
  List<Object> random(Random random, int space) {
    int number = random.nextInt(space);
    int shift = number - space / 2;
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      boolean last = i == types.size() - 1;
      int part = last ? shift : Math.floorMod(shift, 7) - 3;
      key.add(
          switch (types.get(i).root()) {
            case BIGINT -> part * 3_000_000_000L;
            case INT -> part;
            case DOUBLE -> part / 4.0;
            default -> text(part);
          });
    }
    return key;
  }

  private static String text(int part) {
    String stem = part % 3 == 0 ? "" : part % 3 == 1 ? "k" : "\u00e9\u0000";
    return stem + Integer.toString(Math.abs(part), 5) + (part < 0 ? "-" : "");
  }
}
