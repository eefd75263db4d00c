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

import static io.keylake.cli.TourStep.change;
import static io.keylake.cli.TourStep.query;

import java.util.List;
import java.util.stream.Stream;

/** The statements of the tour with what they must give. */
final class Tour {
  private Tour() {}

  /** All steps in order; each relies on the ones before it. */
  static List<TourStep> steps() {
    return Stream.of(keyedTable(), history(), appendTable(), millionRows())
        .flatMap(List::stream)
        .toList();
  }

  private static List<TourStep> keyedTable() {
    return List.of(
        change(
            "A table with a primary key. Nothing else has to be chosen: it gets buckets as it"
                + " grows.",
            """
            CREATE TABLE orders (
              order_id BIGINT,
              customer STRING,
              amount DECIMAL(10,2),
              status STRING,
              PRIMARY KEY (order_id) NOT ENFORCED
            )\
            """),
        change(
            "Three rows; the statement is one commit, snapshot 1.",
            """
            INSERT INTO orders VALUES
              (1, 'ada', 19.90, 'new'), (2, 'bob', 5.00, 'new'), (3, 'cyd', 42.50, 'new')\
            """),
        change(
            "An upsert: a row whose key exists replaces the stored row, any other row is added.",
            """
            INSERT INTO orders VALUES (2, 'bob', 5.00, 'paid'), (4, 'dan', 7.25, 'new')\
            """),
        query(
            "Order 2 is there once, with its newest values, and at once: nothing has to be"
                + " compacted first.",
            "SELECT * FROM orders ORDER BY order_id",
            """
            order_id  customer  amount  status
            --------  --------  ------  ------
                   1  ada        19.90  new
                   2  bob         5.00  paid
                   3  cyd        42.50  new
                   4  dan         7.25  new
            (4 rows)
            """));
  }

  private static List<TourStep> history() {
    return List.of(
        query(
            "Time travel: the table as the first insert left it.",
            "SELECT order_id, status FROM orders VERSION AS OF 1 ORDER BY order_id",
            """
            order_id  status
            --------  ------
                   1  new
                   2  new
                   3  new
            (3 rows)
            """),
        query(
            "Metadata tables are queried like any other: every commit is a snapshot.",
            """
            SELECT snapshot_id, commit_kind, delta_record_count
            FROM orders.snapshots ORDER BY snapshot_id\
            """,
            """
            snapshot_id  commit_kind  delta_record_count
            -----------  -----------  ------------------
                      1  APPEND                        3
                      2  APPEND                        2
            (2 rows)
            """),
        query(
            "The files behind the table: the inserts left files of 3 and 2 rows on level 0.",
            "SELECT level, sum(record_count) AS records FROM orders.files GROUP BY level",
            """
            level  records
            -----  -------
                0        5
            (1 row)
            """));
  }

  private static List<TourStep> appendTable() {
    return List.of(
        change(
            "An append table without a key, partitioned by day.",
            """
            CREATE TABLE clicks (page STRING, ms INT, day DATE) PARTITIONED BY (day)\
            """),
        change(
            "Rows go into the folders of their partitions.",
            """
            INSERT INTO clicks VALUES
              ('/home', 12, DATE'2026-01-01'), ('/cart', 31, DATE'2026-01-01'),
              ('/home', 9, DATE'2026-01-02')\
            """),
        query(
            "The filter on the partition column leaves the files of the other day unread.",
            "SELECT page, ms FROM clicks WHERE day = DATE'2026-01-01' ORDER BY page",
            """
            page   ms
            -----  --
            /cart  31
            /home  12
            (2 rows)
            """));
  }

  private static List<TourStep> millionRows() {
    return List.of(
        change(
            "A primary-key table made from a query of one million generated rows, in one atomic"
                + " statement.",
            """
            CREATE TABLE readings
            TBLPROPERTIES ('primary-key' = 'id')
            AS SELECT id, CAST(id % 1000 AS INT) AS sensor, CAST(id % 7 AS DOUBLE) AS value
            FROM range(1000000)\
            """),
        change(
            "Every tenth row is written again with another value, and 5,000 new rows come in.",
            """
            INSERT INTO readings
            SELECT id * 10, CAST(id * 10 % 1000 AS INT), 100D FROM range(105000)\
            """),
        query(
            "The read merges the overlapping files: each key counts once.",
            """
            SELECT count(*) AS rows, count(DISTINCT id) AS keys,
                   count_if(value = 100) AS changed, max(id) AS max_id
            FROM readings\
            """,
            """
            rows     keys     changed  max_id
            -------  -------  -------  -------
            1005000  1005000   105000  1049990
            (1 row)
            """),
        query(
            "A filter on a value sees the newest version only: the old value of key 20 is gone.",
            "SELECT id, value FROM readings WHERE id BETWEEN 19 AND 21 AND value < 100 ORDER BY id",
            """
            id  value
            --  -----
            19    5.0
            21    0.0
            (2 rows)
            """));
  }
}
