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

package io.keylake.spark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.junit.jupiter.api.Test;

final class AdmissionTest {
  private static final WorkSize FILE = new WorkSize(1, 10, 100);

  private static int admitted(ReadLimit limit) {
    Admission admission = Admission.of(limit);
    int count = 0;
    while (count < 50 && admission.admits(FILE)) {
      count++;
    }
    return count;
  }

  @Test
  void eachLimitHolds() {
    assertThat(admitted(ReadLimit.maxFiles(3))).isEqualTo(3);
    assertThat(admitted(ReadLimit.maxRows(25))).isEqualTo(2);
    assertThat(admitted(ReadLimit.maxBytes(400))).isEqualTo(4);
    assertThat(admitted(ReadLimit.allAvailable())).isEqualTo(50);
  }

  @Test
  void theTightestOfSeveralLimitsHolds() {
    ReadLimit limit =
        ReadLimit.compositeLimit(
            new ReadLimit[] {
              ReadLimit.maxFiles(9), ReadLimit.maxRows(45), ReadLimit.maxBytes(700)
            });
    assertThat(admitted(limit)).isEqualTo(4);
  }

  @Test
  void onePieceIsReadHoweverLargeItIs() {
    assertThat(admitted(ReadLimit.maxRows(1))).isEqualTo(1);
  }

  @Test
  void aTriggerWaitsForRowsButNotTooLong() {
    Admission admission = Admission.of(ReadLimit.minRows(15, 1000));
    admission.admits(FILE);
    assertThat(admission.waits(999)).isTrue();
    assertThat(admission.waits(1000)).isFalse();
    admission.admits(FILE);
    assertThat(admission.waits(0)).isFalse();
  }
}
