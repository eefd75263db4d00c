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

package io.keylake.spark.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.format.fileio.Ids;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class JobIdsTest {
  @Test
  void filesOfAJobAreToldByTheirNames() {
    JobIds ours = JobIds.of(Ids.random());
    JobIds others = JobIds.of(Ids.random());
    String first = ours.next();
    assertThat(ours.next()).isNotEqualTo(first);
    assertThat(UUID.fromString(first).version()).isEqualTo(4);
    assertThat(ours.made("data-" + first + "-0.parquet")).isTrue();
    assertThat(others.made("data-" + first + "-0.parquet")).isFalse();
  }
}
