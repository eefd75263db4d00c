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

package io.keylake.table.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.schema.UnknownKeys;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BucketModeTest {
  private static BucketMode mode(List<String> keys, String bucket) {
    return BucketMode.of(
        new TableSchema(
            3,
            0,
            List.of(
                DataField.of(0, "p", DataTypes.STRING.asNotNull()),
                DataField.of(1, "k", DataTypes.INT.asNotNull())),
            1,
            List.of("p"),
            keys,
            Map.of("bucket", bucket),
            null,
            0,
            UnknownKeys.NONE));
  }

  @Test
  void positiveNumberIsFixed() {
    assertThat(mode(List.of("p", "k"), "4")).isEqualTo(new BucketMode.Fixed(4));
    assertThat(mode(List.of(), "4").totalBuckets()).isEqualTo(4);
  }

  @Test
  void minusOneDependsOnTheKey() {
    assertThat(mode(List.of(), "-1")).isEqualTo(new BucketMode.Unaware());
    assertThat(mode(List.of("p", "k"), "-1")).isEqualTo(new BucketMode.Dynamic());
    assertThat(mode(List.of("k"), "-1")).isEqualTo(new BucketMode.CrossPartition());
  }

  @Test
  void minusTwoIsPostponed() {
    assertThat(mode(List.of("p", "k"), "-2")).isEqualTo(new BucketMode.Postpone());
    assertThat(mode(List.of("p", "k"), "-2").totalBuckets()).isEqualTo(-2);
  }
}
