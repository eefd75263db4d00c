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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqlArgumentsTest {
  @TempDir private Path folder;

  @Test
  void scriptsKeepTheirOrder() throws IOException {
    Path file = Files.writeString(folder.resolve("two.sql"), "SELECT 2;");

    SqlArguments arguments =
        SqlArguments.parse(List.of("-e", "SELECT 1", "-f", file.toString(), "-e", "SELECT 3"));

    assertThat(arguments.scripts()).containsExactly("SELECT 1", "SELECT 2;", "SELECT 3");
  }

  @Test
  void everyArgumentIsRead() {
    SqlArguments arguments =
        SqlArguments.parse(
            List.of("--warehouse", "hdfs://nn/w", "--format", "JSON", "--conf", "a.b=c=d"));

    assertThat(arguments)
        .isEqualTo(
            new SqlArguments(
                List.of(), "hdfs://nn/w", Optional.of(ResultFormat.JSON), Map.of("a.b", "c=d")));
  }

  @Test
  void unknownArgumentIsNamed() {
    assertThatThrownBy(() -> SqlArguments.parse(List.of("--colour", "red")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--colour");
  }

  @Test
  void missingValueIsNamed() {
    assertThatThrownBy(() -> SqlArguments.parse(List.of("-e")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-e needs a value");
  }

  @Test
  void unknownFormatNamesTheKnownOnes() {
    assertThatThrownBy(() -> SqlArguments.parse(List.of("--format", "xml")))
        .isInstanceOf(UsageException.class)
        .hasMessage("Unknown format xml. Use tsv, json or table.");
  }

  @Test
  void settingWithoutValueIsRefused() {
    assertThatThrownBy(() -> SqlArguments.parse(List.of("--conf", "spark.x")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("KEY=VALUE");
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(
            () -> SqlArguments.parse(List.of("-f", folder.resolve("none.sql").toString())))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("none.sql");
  }
}
