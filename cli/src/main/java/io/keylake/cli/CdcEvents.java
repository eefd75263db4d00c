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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Changes of orders as two systems send them: one knows the status, the other the amount. Each
 * numbers its changes of an order. They are delivered late, out of order, and some of them twice;
 * how the orders really are is known here.
 */
final class CdcEvents {
  private static final List<String> STATUSES = List.of("new", "paid", "packed", "sent");
  private static final int ORDERS = 400;
  private static final int MAX_CENTS = 50_000;

  private final Random random;
  private final Map<Long, Order> orders = new TreeMap<>();
  private final List<String> underway = new ArrayList<>();
  private long generated;
  private long repeated;

  private static final class Order {
    private String status = "";
    private long statusNumber;
    private long cents;
    private long centsNumber;
  }

  CdcEvents(long seed) {
    this.random = new Random(seed);
  }

  /** Changes orders, and gives events of these and earlier changes, in no order, as JSON. */
  List<String> next(int changes) {
    for (int i = 0; i < changes; i++) {
      String event = change();
      generated++;
      underway.add(event);
      if (random.nextInt(5) == 0) {
        underway.add(event);
        repeated++;
      }
    }
    Collections.shuffle(underway, random);
    int late = underway.size() / 4;
    List<String> delivered = new ArrayList<>(underway.subList(late, underway.size()));
    underway.subList(late, underway.size()).clear();
    return delivered;
  }

  /** The events that are still underway. */
  List<String> rest() {
    List<String> delivered = List.copyOf(underway);
    underway.clear();
    return delivered;
  }

  private String change() {
    long id = 1L + random.nextInt(ORDERS);
    Order order = orders.computeIfAbsent(id, key -> new Order());
    if (random.nextBoolean() || order.status.isEmpty()) {
      order.status = STATUSES.get(random.nextInt(STATUSES.size()));
      order.statusNumber++;
      return "{\"order_id\": %d, \"status\": \"%s\", \"status_number\": %d}"
          .formatted(id, order.status, order.statusNumber);
    }
    order.cents = random.nextInt(MAX_CENTS);
    order.centsNumber++;
    return "{\"order_id\": %d, \"cents\": %d, \"cents_number\": %d}"
        .formatted(id, order.cents, order.centsNumber);
  }

  /** What came of how many changes. */
  String summary() {
    return generated + " changes of " + orders.size() + " orders, " + repeated + " delivered twice";
  }

  /** The number of orders and the sum of their cents by status, as they really are. */
  List<String> totals() {
    Map<String, long[]> totals = new TreeMap<>();
    for (Order order : orders.values()) {
      long[] total = totals.computeIfAbsent(order.status, status -> new long[2]);
      total[0]++;
      total[1] += order.cents;
    }
    List<String> lines = new ArrayList<>();
    totals.forEach((status, total) -> lines.add(status + "," + total[0] + "," + total[1]));
    return lines;
  }
}
