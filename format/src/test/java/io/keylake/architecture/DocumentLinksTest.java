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

package io.keylake.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of the repository link to files that exist. */
final class DocumentLinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

  @Test
  void relativeLinksLeadToFiles() throws IOException {
    List<Path> pages = pages(repository());
    assertThat(pages).isNotEmpty();
    assertThat(pages.stream().flatMap(DocumentLinksTest::brokenLinks)).isEmpty();
  }

  private static Stream<String> brokenLinks(Path page) {
    return LINK.matcher(text(page))
        .results()
        .map((MatchResult link) -> link.group(1))
        .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
        .filter(target -> !Files.exists(page.resolveSibling(target)))
        .map(target -> page + " -> " + target);
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new AssertionError(page + " cannot be read", e);
    }
  }

  private static List<Path> pages(Path repository) throws IOException {
    try (Stream<Path> docs = Files.walk(repository.resolve("docs"));
        Stream<Path> top = Files.list(repository)) {
      return Stream.concat(docs, top).filter(path -> path.toString().endsWith(".md")).toList();
    }
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/architecture.md"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
