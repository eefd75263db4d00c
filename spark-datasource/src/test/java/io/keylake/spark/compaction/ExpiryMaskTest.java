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

package io.keylake.spark.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.vector.DropMask;
import io.keylake.table.compaction.RecordExpiry;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.IntegerType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cutoffs lie around 2027-01-15, 1,800,000,000 seconds after 1970. */
class ExpiryMaskTest {
  private static final long SECONDS = 1_800_000_000L;

  private static RowType columns(io.keylake.format.types.DataType type) {
    return RowType.of(List.of(DataField.of(0, "k", DataTypes.INT), DataField.of(1, "t", type)));
  }

  /** The rows that are dropped of these times; null = no time. */
  private static List<Integer> dropped(
      io.keylake.format.types.DataType type, long cutoffMillis, Long... times) {
    ExpiryMask mask = ExpiryMask.of(new RecordExpiry("t", cutoffMillis), columns(type));
    DropMask drops = new DropMask();
    drops.reset(times.length);
    try (OnHeapColumnVector vector =
        new OnHeapColumnVector(times.length, SparkTypes.toSpark("t", type))) {
      for (int i = 0; i < times.length; i++) {
        Long time = times[i];
        if (time == null) {
          vector.putNull(i);
        } else if (vector.dataType() instanceof IntegerType) {
          vector.putInt(i, time.intValue());
        } else {
          vector.putLong(i, time);
        }
      }
      mask.apply(vector, times.length, drops);
    }
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < times.length; i++) {
      if (drops.isDropped(i)) {
        rows.add(i);
      }
    }
    return rows;
  }

  @Test
  void integersAreSeconds() {
    assertThat(dropped(DataTypes.INT, SECONDS * 1000, SECONDS - 1, SECONDS, null, -5L))
        .containsExactly(0, 3);
  }

  @Test
  void aSecondThatBeginsBeforeTheCutoffHasExpired() {
    assertThat(dropped(DataTypes.INT, SECONDS * 1000 + 1, SECONDS, SECONDS + 1)).containsExactly(0);
    assertThat(dropped(DataTypes.BIGINT, SECONDS * 1000 + 999, SECONDS, SECONDS + 1))
        .containsExactly(0);
  }

  @Test
  void longsAreMillisecondsFromTenToTheTwelfthOn() {
    long cutoff = SECONDS * 1000;
    assertThat(
            dropped(
                DataTypes.BIGINT,
                cutoff,
                cutoff - 1,
                cutoff,
                SECONDS - 1,
                SECONDS,
                1_000_000_000_000L,
                999_999_999_999L,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                null))
        .containsExactly(0, 2, 4, 6);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 6, 9})
  void timestampsOfAnyPrecisionCompareByTheirInstant(int precision) {
    long cutoff = SECONDS * 1000;
    Long[] micros = {cutoff * 1000 - 1, cutoff * 1000, null, -1L, cutoff * 1000 + 1};
    assertThat(dropped(DataTypes.timestamp(precision), cutoff, micros)).containsExactly(0, 3);
    assertThat(dropped(DataTypes.timestampLtz(precision), cutoff, micros)).containsExactly(0, 3);
  }

  @Test
  void cutoffsBefore1970Round() {
    assertThat(dropped(DataTypes.INT, -1500, -2L, -1L, 0L)).containsExactly(0);
    assertThat(dropped(DataTypes.INT, -2000, -3L, -2L, 0L)).containsExactly(0);
  }

  @Test
  void theTimeMustBeRead() {
    assertThatThrownBy(() -> ExpiryMask.of(new RecordExpiry("x", 0), columns(DataTypes.INT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("x is not read");
  }
}
