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

package io.keylake.spark.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.FieldIds;
import io.keylake.format.types.MultisetType;
import io.keylake.format.types.RowType;
import io.keylake.format.types.TypeRoot;
import io.keylake.format.types.TypeText;
import java.util.List;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SparkTypesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "boolean|BOOLEAN",
        "tinyint|TINYINT",
        "smallint|SMALLINT",
        "int|INT",
        "bigint|BIGINT",
        "float|FLOAT",
        "double|DOUBLE",
        "decimal(38,10)|DECIMAL(38, 10)",
        "char(5)|CHAR(5)",
        "varchar(20)|VARCHAR(20)",
        "string|STRING",
        "binary|BYTES",
        "date|DATE",
        "timestamp|TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "timestamp_ntz|TIMESTAMP(6)",
        "variant|VARIANT",
      })
  void everyTypeComesBackAsItWentIn(String spark, String format) {
    DataType type = DataType.fromDDL("c " + spark);
    Column column = Column.create("c", ((StructType) type).fields()[0].dataType());

    DataField field = SparkTypes.toField(column);

    assertThat(TypeText.of(field.type())).isEqualTo(format);
    assertThat(SparkTypes.toColumns(List.of(field))[0].dataType()).isEqualTo(column.dataType());
  }

  @Test
  void nestedTypesKeepNamesNullabilityAndComments() {
    StructType type =
        StructType.fromDDL(
            "s struct<a: int not null comment 'first', b: array<map<string, struct<c: date>>>>");

    DataField field =
        FieldIds.fromZero()
            .number(SparkTypes.toField(Column.create("s", type.fields()[0].dataType())));

    RowType row = (RowType) field.type();
    assertThat(row.field(0).description()).isEqualTo("first");
    assertThat(row.field(0).type().nullable()).isFalse();
    assertThat(row.fields()).extracting(DataField::id).containsExactly(1, 3);
    StructType back = SparkTypes.toSpark(RowType.of(List.of(field)));
    assertThat(back.fields()[0].dataType().catalogString())
        .isEqualTo("struct<a:int,b:array<map<string,struct<c:date>>>>");
    assertThat(((StructType) back.fields()[0].dataType()).fields()[0].nullable()).isFalse();
  }

  @Test
  void columnsCarryTheirIds() {
    DataField inner = DataField.of(8, "x", DataTypes.INT);
    DataField field = DataField.of(7, "s", new RowType(List.of(inner), true));

    Column column = SparkTypes.toColumns(List.of(field))[0];

    assertThat(column.id()).isEqualTo("7");
    assertThat(((StructType) column.dataType()).fields()[0].id().get()).isEqualTo("8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"interval day", "interval year", "interval", "string collate UNICODE_CI"})
  void typesOutsideTheFormatAreRefusedByColumnAndType(String type) {
    DataType spark =
        ((StructType) DataType.fromDDL("c array<" + type + ">")).fields()[0].dataType();

    assertThatThrownBy(() -> SparkTypes.toField(Column.create("c", spark)))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("Column c.element has the type");
  }

  @Test
  void typesThatSparkLacksReadAsTheNearestOne() {
    RowType row =
        RowType.of(
            List.of(
                DataField.of(0, "t", DataTypes.sized(TypeRoot.TIME, 3)),
                DataField.of(1, "m", new MultisetType(DataTypes.STRING, true)),
                DataField.of(2, "b", DataTypes.sized(TypeRoot.BINARY, 4)),
                DataField.of(3, "ts", DataTypes.timestamp(9)),
                DataField.of(4, "ltz", DataTypes.timestampLtz(0)),
                DataField.of(5, "c", DataTypes.sized(TypeRoot.CHAR, 3))));

    assertThat(SparkTypes.toSpark(row).catalogString())
        .isEqualTo(
            "struct<t:int,m:map<string,int>,b:binary,ts:timestamp_ntz,ltz:timestamp,c:string>");
  }

  @Test
  void blobColumnsAreRefusedByName() {
    DataField blob = DataField.of(0, "picture", DataTypes.sized(TypeRoot.BINARY, 1));
    DataField field =
        blob.withType(new io.keylake.format.types.AtomicType(TypeRoot.BLOB, 0, 0, true));

    assertThatThrownBy(() -> SparkTypes.toSpark(RowType.of(List.of(field))))
        .isInstanceOf(UnsupportedTableException.class)
        .hasMessageContaining("Column picture has the type BLOB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int|7|7",
        "string|it's|'it\\'s'",
        "date|2020-02-02|DATE '2020-02-02'",
        "decimal(10,2)|1.50|CAST('1.50' AS DECIMAL(10,2))",
        "boolean|true|true",
        "double|0.5|CAST('0.5' AS DOUBLE)",
      })
  void defaultsAreSqlToSparkAndTextInTheFormat(String type, String text, String sql) {
    DataType spark = ((StructType) DataType.fromDDL("c " + type)).fields()[0].dataType();
    DataField field = new DataField(0, "c", SparkTypes.toFormat("c", spark), null, text);

    Column column = SparkTypes.toColumns(List.of(field))[0];

    assertThat(column.defaultValue().getSql()).isEqualTo(sql);
    assertThat(SparkTypes.toField(column).defaultValue()).isEqualTo(text);
  }

  @Test
  void defaultOfAColumnIsItsValueAsText() {
    Column column =
        Column.create(
            "c",
            org.apache.spark.sql.types.DataTypes.createDecimalType(5, 1),
            true,
            null,
            new ColumnDefaultValue(
                "1 + 1.5",
                new LiteralValue<>(
                    Decimal.apply("2.5"),
                    org.apache.spark.sql.types.DataTypes.createDecimalType(5, 1))),
            null);

    assertThat(SparkTypes.toField(column).defaultValue()).isEqualTo("2.5");
  }

  @Test
  void defaultThatIsNoValueOfTheTypeIsRefused() {
    DataField field = new DataField(0, "c", DataTypes.INT, null, "seven");

    assertThatThrownBy(() -> SparkTypes.toColumns(List.of(field)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'seven' of column c is no value of its type INT");
  }

  @Test
  void generatedColumnsAreRefused() {
    Column column =
        Column.create(
            "g", org.apache.spark.sql.types.DataTypes.IntegerType, true, null, "1 + 1", null);

    assertThatThrownBy(() -> SparkTypes.toField(column))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Column g is a generated");
  }

  @Test
  void textDefaultsNeedNoQuotes() {
    Column column =
        Column.create(
            "c",
            org.apache.spark.sql.types.DataTypes.StringType,
            true,
            null,
            new ColumnDefaultValue(
                "'x'",
                new LiteralValue<>(
                    UTF8String.fromString("x"), org.apache.spark.sql.types.DataTypes.StringType)),
            null);

    assertThat(SparkTypes.toField(column).defaultValue()).isEqualTo("x");
  }
}
