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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.spark.file.encode.TestRows;
import io.keylake.spark.write.WriteTarget.Functions;
import io.keylake.spark.write.bucket.BucketFunctionBinding;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.distributions.ClusteredDistribution;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.UnspecifiedDistribution;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark is asked to do with rows before they are written. */
class KeylakeWriteTest {
  private static final List<DataField> FIELDS =
      List.of(
          DataField.of(0, "dt", DataTypes.STRING.asNotNull()),
          DataField.of(1, "k", DataTypes.BIGINT.asNotNull()),
          DataField.of(2, "n", DataTypes.STRING.asNotNull()),
          DataField.of(3, "s", DataTypes.timestamp(3).asNotNull()),
          DataField.of(4, "m", DataTypes.timestamp(6).asNotNull()));

  @TempDir Path folder;

  private KeylakeWrite write(
      List<String> partitionKeys,
      List<String> primaryKeys,
      Map<String, String> options,
      Functions functions) {
    return write("first", partitionKeys, primaryKeys, options, functions);
  }

  private KeylakeWrite write(
      String table,
      List<String> partitionKeys,
      List<String> primaryKeys,
      Map<String, String> options,
      Functions functions) {
    WriteTarget byPath =
        WriteFixture.create(
            folder.resolve(table), TestRows.schema(FIELDS, partitionKeys, primaryKeys, options));
    WriteTarget target =
        new WriteTarget(
            byPath.name(), byPath.storage(), byPath.schema(), byPath.options(), functions);
    return new KeylakeWrite(target, new StructType(), Replacement.NOTHING, null);
  }

  private static List<String> clustering(Distribution distribution) {
    return Arrays.stream(((ClusteredDistribution) distribution).clustering())
        .map(Object::toString)
        .toList();
  }

  @Test
  void bucketsOfCatalogTablesAreBroughtTogetherByTheirFunction() {
    KeylakeWrite write =
        write(
            List.of("dt"), List.of("dt", "k", "n"), Map.of("bucket", "4"), Functions.FROM_CATALOG);
    assertThat(clustering(write.requiredDistribution()))
        .containsExactly("identity(dt)", "bucket(4, k, n)");
    assertThat(write.distributionStrictlyRequired()).isTrue();
    assertThat(write.advisoryPartitionSizeInBytes()).isZero();
    assertThat(write.requiredOrdering()).isEmpty();
  }

  @Test
  void tablesReachedByPathAreClusteredByTheKeyItself() {
    KeylakeWrite write =
        write(List.of("dt"), List.of("dt", "k", "n"), Map.of("bucket", "4"), Functions.NONE);
    assertThat(clustering(write.requiredDistribution()))
        .containsExactly("identity(dt)", "identity(k)", "identity(n)");
    assertThat(write.distributionStrictlyRequired()).isTrue();
  }

  @Test
  void keysOfDynamicBucketsAreBroughtToTheirAssigners() {
    KeylakeWrite write =
        write(List.of("dt"), List.of("dt", "k", "n"), Map.of(), Functions.FROM_CATALOG);
    assertThat(clustering(write.requiredDistribution()))
        .containsExactly("identity(dt)", "bucket(4, k, n)");
    assertThat(write.distributionStrictlyRequired()).isTrue();
    assertThat(write.requiredNumPartitions()).isZero();
    assertThat(write.advisoryPartitionSizeInBytes()).isZero();
  }

  @Test
  void optionsSetTheNumberOfAssigners() {
    KeylakeWrite write =
        write(
            List.of(),
            List.of("k"),
            Map.of("dynamic-bucket.initial-buckets", "9", "dynamic-bucket.max-buckets", "7"),
            Functions.FROM_CATALOG);
    assertThat(clustering(write.requiredDistribution())).containsExactly("bucket(7, k)");
  }

  @Test
  void partitionOfADynamicTableReachedByPathGoesToOneTask() {
    KeylakeWrite write = write(List.of("dt"), List.of("dt", "k"), Map.of(), Functions.NONE);
    assertThat(clustering(write.requiredDistribution())).containsExactly("identity(dt)");
    assertThat(write.distributionStrictlyRequired()).isTrue();
    assertThat(write.requiredNumPartitions()).isZero();
  }

  @Test
  void dynamicTableWithoutPartitionsReachedByPathIsWrittenByOneTask() {
    KeylakeWrite write = write(List.of(), List.of("k", "n"), Map.of(), Functions.NONE);
    assertThat(clustering(write.requiredDistribution()))
        .containsExactly("identity(k)", "identity(n)");
    assertThat(write.requiredNumPartitions()).isEqualTo(1);
    assertThat(write.distributionStrictlyRequired()).isTrue();
  }

  @Test
  void keysThatSparkTellsApartWhereTheTableDoesNotAreNotSpread() {
    KeylakeWrite byKey = write(List.of("dt"), List.of("dt", "s"), Map.of(), Functions.FROM_CATALOG);
    assertThat(clustering(byKey.requiredDistribution())).containsExactly("identity(dt)");
    KeylakeWrite byPartition =
        write("second", List.of("s"), List.of("s", "k"), Map.of(), Functions.FROM_CATALOG);
    assertThat(byPartition.requiredNumPartitions()).isEqualTo(1);
    KeylakeWrite exact =
        write("third", List.of("m"), List.of("m", "k"), Map.of(), Functions.FROM_CATALOG);
    assertThat(clustering(exact.requiredDistribution()))
        .containsExactly("identity(m)", "bucket(4, k)");
  }

  @Test
  void partitionsOfAppendTablesAreRebalanced() {
    KeylakeWrite write = write(List.of("dt"), List.of(), Map.of(), Functions.FROM_CATALOG);
    assertThat(clustering(write.requiredDistribution())).containsExactly("identity(dt)");
    assertThat(write.distributionStrictlyRequired()).isFalse();
    assertThat(write.advisoryPartitionSizeInBytes()).isEqualTo(512L << 20);
  }

  @Test
  void plainAppendTablesTakeRowsAsTheyCome() {
    KeylakeWrite write = write(List.of(), List.of(), Map.of(), Functions.FROM_CATALOG);
    assertThat(write.requiredDistribution()).isInstanceOf(UnspecifiedDistribution.class);
    assertThat(write.advisoryPartitionSizeInBytes()).isZero();
  }

  private static Object bucket(StructType types, Object... values) {
    ScalarFunction<?> function = (ScalarFunction<?>) new BucketFunctionBinding().bind(types);
    InternalRow row = new GenericInternalRow(values);
    return function.produceResult(row);
  }

  @Test
  void bucketFunctionGivesTheBucketsOfTheFormat() {
    assertThat(bucket(new StructType().add("n", "int").add("k", "int"), 5, 1)).isEqualTo(3);
    assertThat(bucket(new StructType().add("n", "int").add("k", "int"), 16, 1)).isEqualTo(14);
    assertThat(
            bucket(
                new StructType().add("n", "int").add("a", "string").add("b", "bigint"),
                16,
                UTF8String.fromString("hello paimon"),
                42L))
        .isEqualTo(8);
    assertThat(bucket(new StructType().add("n", "int").add("k", "int"), null, 1)).isNull();
  }

  @Test
  void bucketFunctionRefusesNestedKeys() {
    StructType nested = new StructType().add("n", "int").add("k", "array<int>");
    assertThatThrownBy(() -> new BucketFunctionBinding().bind(nested))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no scalar type");
  }
}
