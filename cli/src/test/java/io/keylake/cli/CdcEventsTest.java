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

package io.keylake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class CdcEventsTest {
  private static List<String> delivered(CdcEvents events) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.addAll(events.next(50));
    }
    all.addAll(events.rest());
    return all;
  }

  @Test
  void eachChangeIsDeliveredAndSomeAreTwice() {
    List<String> all = delivered(new CdcEvents(1));
    assertThat(new HashSet<>(all)).hasSize(500);
    assertThat(all).hasSizeGreaterThan(550);
  }

  @Test
  void changesOfAnOrderComeOutOfOrder() {
    Pattern status = Pattern.compile("\"order_id\": (\\d+),.*\"status_number\": (\\d+)");
    Map<String, Integer> newest = new HashMap<>();
    int late = 0;
    for (String event : delivered(new CdcEvents(1))) {
      Matcher matcher = status.matcher(event);
      if (matcher.find()) {
        int number = Integer.parseInt(matcher.group(2));
        int before = newest.merge(matcher.group(1), number, Math::max);
        late += number < before ? 1 : 0;
      }
    }
    assertThat(late).isPositive();
  }

  @Test
  void sameSeedGivesSameEventsAndTotals() {
    CdcEvents one = new CdcEvents(7);
    CdcEvents two = new CdcEvents(7);
    assertThat(delivered(one)).isEqualTo(delivered(two));
    assertThat(one.totals()).isEqualTo(two.totals()).hasSize(4);
    assertThat(one.summary()).startsWith("500 changes of ");
  }
}
