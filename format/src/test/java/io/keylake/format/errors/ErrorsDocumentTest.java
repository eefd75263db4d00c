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

package io.keylake.format.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorsDocumentTest {
  @Test
  void everyConditionIsDocumentedWithItsSqlState() throws IOException {
    List<String> documented =
        Files.readAllLines(Path.of("..", "docs", "errors.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("\\|", -1))
            .map(cells -> cells[1].strip() + " " + cells[2].strip())
            .toList();
    assertThat(documented)
        .containsExactlyElementsOf(
            Arrays.stream(Condition.values())
                .map(condition -> "`" + condition.name() + "` " + condition.sqlState())
                .toList());
  }
}
