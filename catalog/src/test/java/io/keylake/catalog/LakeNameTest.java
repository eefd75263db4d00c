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

package io.keylake.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LakeNameTest {
  @ParameterizedTest
  @CsvSource({
    "t, t, , ",
    "t$snapshots, t, , snapshots",
    "t$branch_b, t, b, ",
    "t$branch_b$files, t, b, files",
    "t$branch_b_c, t, b_c, ",
    "größe, größe, , "
  })
  void partsAreSeparatedByDollarSigns(
      String written, String table, String branch, String metadataTable) {
    assertThat(LakeName.parse("db", written))
        .contains(
            new LakeName(
                "db", table, Optional.ofNullable(branch), Optional.ofNullable(metadataTable)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "$snapshots",
        "t$",
        "t$branch_",
        "t$a$b",
        "t$branch_b$a$c",
        "..",
        ".",
        ".hidden",
        "a/b",
        "a\\b",
        "../t",
        "t$branch_../x",
        "t$branch_..",
        "a:b",
        "a\nb",
        " a"
      })
  void whatCouldLeaveTheFolderIsNoName(String written) {
    assertThat(LakeName.parse("db", written)).isEmpty();
  }

  @Test
  void databaseIsCheckedToo() {
    assertThat(LakeName.parse("../db", "t")).isEmpty();
  }

  @Test
  void textIsTheWrittenForm() {
    assertThat(LakeName.parse("db", "t$branch_b$files").map(LakeName::toString))
        .contains("db.t$branch_b$files");
  }
}
