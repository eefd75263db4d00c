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

package io.keylake.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SessionOptionsTest {
  private static final TableName TABLE = new TableName("lake", List.of("db"), "t");

  private static Map<String, String> merged(
      Map<String, String> session, Map<String, String> statement) {
    return SessionOptions.overrides(TABLE, session, statement);
  }

  @Test
  void statementWinsOverSession() {
    assertThat(
            merged(Map.of("spark.keylake.scan.snapshot-id", "1"), Map.of("scan.snapshot-id", "2")))
        .containsExactly(Map.entry("scan.snapshot-id", "2"));
  }

  @Test
  void settingOfOneTableWinsOverSettingOfAll() {
    assertThat(
            merged(
                Map.of(
                    "spark.keylake.scan.tag-name", "all",
                    "spark.keylake.*.*.t.scan.tag-name", "named",
                    "spark.paimon.lake.db.t.scan.tag-name", "exact"),
                Map.of()))
        .containsEntry("scan.tag-name", "exact");
    assertThat(
            merged(
                Map.of(
                    "spark.keylake.*.db.*.scan.tag-name", "database",
                    "spark.keylake.*.*.t.scan.tag-name", "table"),
                Map.of()))
        .containsEntry("scan.tag-name", "table");
  }

  @Test
  void ownPrefixWinsOverTheFormatsPrefix() {
    assertThat(
            merged(
                Map.of(
                    "spark.keylake.scan.tag-name", "ours", "spark.paimon.scan.tag-name", "theirs"),
                Map.of()))
        .containsEntry("scan.tag-name", "ours");
  }

  @Test
  void settingOfAnotherTableIsNoOption() {
    assertThat(merged(Map.of("spark.keylake.lake.db.other.scan.tag-name", "x"), Map.of()))
        .isEmpty();
    assertThat(merged(Map.of("spark.sql.shuffle.partitions", "x"), Map.of())).isEmpty();
  }

  @Test
  void spellingOfStatementOptionsIgnoresCase() {
    assertThat(merged(Map.of(), Map.of("SCAN.Snapshot-Id", "2", "READ.ALLOW.FULLSCAN", "false")))
        .containsEntry("scan.snapshot-id", "2")
        .containsEntry("read.allow.fullScan", "false");
  }
}
