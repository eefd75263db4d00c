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

package io.keylake.spark.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.predicate.Predicate;
import io.keylake.format.predicate.Predicate.Operator;
import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataType;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.TypeRoot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FilePredicatesTest {
  private static final TableSchema STORED =
      new TableSchema(
          TableSchema.CURRENT_VERSION,
          0,
          List.of(
              DataField.of(0, "day", DataTypes.STRING),
              DataField.of(1, "old_name", DataTypes.INT),
              DataField.of(2, "wide", DataTypes.BIGINT),
              DataField.of(3, "short_text", DataTypes.sized(TypeRoot.VARCHAR, 5)),
              DataField.of(4, "real", DataTypes.FLOAT)),
          9,
          List.of("day"),
          List.of(),
          Map.of(),
          null,
          0,
          UnknownKeys.NONE);

  private static Predicate.Leaf leaf(int id, DataType type, Object... literals) {
    return new Predicate.Leaf(
        DataField.of(id, "now" + id, type),
        literals.length == 1 ? Operator.EQUAL : Operator.IN,
        List.of(literals));
  }

  private static Predicate asked(Predicate predicate) {
    return FilePredicates.forFile(predicate, STORED);
  }

  @Test
  void columnsAreAskedByTheNameAndTypeOfTheFile() {
    Predicate.Leaf asked = (Predicate.Leaf) asked(leaf(1, DataTypes.INT, 7));

    assertThat(asked.field().name()).isEqualTo("old_name");
    assertThat(asked.literals()).containsExactly((Object) 7);
  }

  @Test
  void integersStoredNarrowerAreAskedWhenTheLiteralsFit() {
    Predicate.Leaf asked = (Predicate.Leaf) asked(leaf(1, DataTypes.BIGINT, 7L));

    assertThat(asked.field().type().root()).isEqualTo(TypeRoot.INT);
    assertThat(asked(leaf(1, DataTypes.BIGINT, 7L, 1L << 40))).isNull();
  }

  @Test
  void integersStoredWiderAreNotAskedBecauseTheyWrap() {
    assertThat(asked(leaf(2, DataTypes.INT, 7))).isNull();
  }

  @Test
  void shorterTextsAreAskedAndOtherTypeChangesAreNot() {
    assertThat(asked(leaf(3, DataTypes.STRING, "x"))).isNotNull();
    assertThat(asked(leaf(4, DataTypes.DOUBLE, 1.5))).isNull();
  }

  @Test
  void missingAndPartitionColumnsAreLeftOut() {
    assertThat(asked(leaf(8, DataTypes.INT, 1))).isNull();
    assertThat(asked(leaf(0, DataTypes.STRING, "2024-01-01"))).isNull();
  }

  @Test
  void andLosesPartsWhereOrIsLostAsAWhole() {
    Predicate known = leaf(1, DataTypes.INT, 7);
    Predicate unknown = leaf(8, DataTypes.INT, 1);

    assertThat(asked(new Predicate.And(List.of(known, unknown))))
        .isEqualTo(new Predicate.And(List.of(asked(known))));
    assertThat(asked(new Predicate.Or(List.of(known, unknown)))).isNull();
    assertThat(asked(new Predicate.Or(List.of(known, known)))).isNotNull();
  }

  @Test
  void onlyKeepsConjunctsOnTheGivenColumns() {
    Predicate key = leaf(1, DataTypes.INT, 7);
    Predicate mixed = new Predicate.Or(List.of(key, leaf(4, DataTypes.FLOAT, 1f)));
    Predicate both = new Predicate.And(List.of(key, mixed));

    assertThat(FilePredicates.only(both, List.of(1))).isEqualTo(key);
    assertThat(FilePredicates.only(mixed, List.of(1))).isNull();
    assertThat(FilePredicates.columns(both)).extracting(DataField::id).containsExactly(1, 4);
  }
}
