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

package io.keylake.table.expiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.row.Timestamp;
import io.keylake.format.types.DataField;
import io.keylake.format.types.DataTypes;
import io.keylake.format.types.RowType;
import io.keylake.table.expiry.PartitionExpiry.Rules;
import io.keylake.table.expiry.PartitionExpiry.Strategy;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PartitionExpiryTest {
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 3, 10, 12, 0);

  private static Optional<LocalDateTime> time(
      RowType type, @Nullable String pattern, @Nullable String formatter, Object... values) {
    BinaryRow partition = BinaryRowCodec.of(type).encode(Arrays.asList(values));
    return PartitionTime.of(type, pattern, formatter).of(partition);
  }

  private static RowType dayAndHour() {
    return RowType.of(
        List.of(DataField.of(0, "dt", DataTypes.STRING), DataField.of(1, "hh", DataTypes.INT)));
  }

  @Test
  void firstColumnIsADateWithOrWithoutATime() {
    LocalDateTime midnight = LocalDateTime.of(2024, 1, 31, 0, 0);
    assertThat(time(dayAndHour(), null, null, "2024-01-31", 7)).contains(midnight);
    assertThat(time(dayAndHour(), null, null, "2024-01-31 10:11:12", 7))
        .contains(LocalDateTime.of(2024, 1, 31, 10, 11, 12));
    assertThat(time(dayAndHour(), null, null, "2024-01-31 10:11:12.5", 7))
        .contains(LocalDateTime.of(2024, 1, 31, 10, 11, 12, 500_000_000));
    assertThat(time(dayAndHour(), null, null, "31.1.2024", 7)).isEmpty();
    assertThat(time(dayAndHour(), null, null, null, 7)).isEmpty();
  }

  @Test
  void patternJoinsColumnsAndFormatterReadsThem() {
    assertThat(time(dayAndHour(), "$dt $hh:00:00", "yyyyMMdd H:mm:ss", "20240131", 7))
        .contains(LocalDateTime.of(2024, 1, 31, 7, 0));
    assertThat(time(dayAndHour(), "$dt", "yyyyMMdd", "20240131", null))
        .contains(LocalDateTime.of(2024, 1, 31, 0, 0));
    assertThat(time(dayAndHour(), "$dt $hh", "yyyyMMdd H", "20240131", null)).isEmpty();
    assertThatThrownBy(() -> time(dayAndHour(), "$day", null, "x", 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("partition.timestamp-pattern");
    assertThatThrownBy(() -> time(dayAndHour(), null, "jjjj", "x", 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("partition.timestamp-formatter");
  }

  @Test
  void datesAndTimestampsAreTimesByThemselves() {
    RowType date = RowType.of(List.of(DataField.of(0, "d", DataTypes.DATE)));
    assertThat(time(date, null, null, (int) LocalDate.of(2024, 1, 31).toEpochDay()))
        .contains(LocalDateTime.of(2024, 1, 31, 0, 0));
    RowType timestamp = RowType.of(List.of(DataField.of(0, "t", DataTypes.timestamp(3))));
    assertThat(time(timestamp, null, null, Timestamp.ofMicros(1_000_000)))
        .contains(LocalDateTime.of(1970, 1, 1, 0, 0, 1));
  }

  @Test
  void oldestPartitionsGoFirst() {
    HistoryFixture table = HistoryFixture.create(Map.of());
    for (String day : List.of("2024-03-03", "2024-03-01", "2024-03-09", "never")) {
      table.append(table.storage(), day);
    }
    Rules all = new Rules(Duration.ofDays(5), Strategy.VALUES_TIME, null, null, 100);
    assertThat(new PartitionExpiry(table.history(table.storage()), all).expired(NOW))
        .containsExactly(table.partition("2024-03-01"), table.partition("2024-03-03"));
    Rules one = new Rules(Duration.ofDays(5), Strategy.VALUES_TIME, null, null, 1);
    assertThat(new PartitionExpiry(table.history(table.storage()), one).expired(NOW))
        .containsExactly(table.partition("2024-03-01"));
  }

  @Test
  void ageMayBeThatOfTheNewestFile() {
    HistoryFixture table = HistoryFixture.create(Map.of());
    table.append(table.storage(), "2024-03-01");
    Rules rules = new Rules(Duration.ofDays(5), Strategy.UPDATE_TIME, null, null, 100);
    PartitionExpiry expiry = new PartitionExpiry(table.history(table.storage()), rules);
    LocalDateTime created = LocalDateTime.of(1970, 1, 1, 0, 0);
    assertThat(expiry.expired(created.plusDays(4))).isEmpty();
    assertThat(expiry.expired(created.plusDays(6))).containsExactly(table.partition("2024-03-01"));
  }
}
