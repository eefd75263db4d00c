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

package io.keylake.table.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OptionsDocumentTest {
  /** Set to write the page instead of comparing it. */
  private static final String UPDATE = "keylake.docs.update";

  @Test
  void pageOfOptionsIsUpToDate() throws IOException {
    Path page = page();
    String expected = render();
    if (Boolean.getBoolean(UPDATE)) {
      Files.writeString(page, expected);
    }
    assertThat(Files.readString(page))
        .as("docs/options.md; run this test with -D%s=true to write it", UPDATE)
        .isEqualTo(expected);
  }

  @Test
  void everyDefaultIsAnAllowedValueAndEverySentenceEnds() {
    for (OptionKey<?> key : KnownOptions.all()) {
      key.defaultText().ifPresent(text -> assertThat(key.parse(text)).isNotNull());
      assertThat(key.sentence()).as(key.name()).endsWith(".").isNotBlank();
    }
  }

  private static Path page() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/options.md"))) {
      folder = folder.getParent();
    }
    assertThat(folder).as("a folder above with docs/options.md").isNotNull();
    return folder.resolve("docs/options.md");
  }

  private static String render() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Table options

        Generated from `io.keylake.table.options` by `OptionsDocumentTest`; do not edit.

        Set options in `TBLPROPERTIES`, in `OPTIONS` of a reader or writer, or for one statement with
        `SELECT ... FROM t WITH ('key' = 'value')`. Keys that are not listed are kept and ignored. Sizes take the units
        `b`, `kb`, `mb`, `gb`, `tb` (powers of 1024), durations `ms`, `s`, `min`, `h`, `d`. `<c>` stands for the name of a column.

        Support: *yes*; *accepted, no effect* = stored, has no effect on what this version reads or writes (the option tunes other
        engines, streaming writers, or upkeep that this version does not do, such as expiry of snapshots); *refused for writing* = a table with another value than the default cannot be created or
        written, but is read; *refused* = such a table cannot be read either, because its rows would be misread.

        """);
    section(page, "Options with a meaning", true);
    section(page, "Options that are refused or have no effect", false);
    return page.toString();
  }

  private static void section(StringBuilder page, String title, boolean meaning) {
    page.append("## ").append(title).append("\n\n");
    page.append("| Key | Type | Default | Support | May change | Meaning |\n");
    page.append("|---|---|---|---|---|---|\n");
    KnownOptions.all().stream()
        .filter(key -> (key.refusal() == OptionKey.Refusal.NONE) == meaning)
        .forEach(key -> page.append(row(key)));
    page.append('\n');
  }

  private static String row(OptionKey<?> key) {
    String older =
        key.fallbackKeys().isEmpty()
            ? ""
            : " Older: `" + String.join("`, `", key.fallbackKeys()) + "`.";
    String allowed = key.rangeText().map(text -> " Allowed: " + text + ".").orElse("");
    String defaultText =
        key.defaultText().filter(text -> !text.isEmpty()).map(t -> "`" + t + "`").orElse("–");
    return String.join(
        " | ",
        "| `" + key.name() + "`",
        key.typeName(),
        defaultText,
        key.refusal().text(),
        key.change().text(),
        (key.sentence() + allowed + older).replace("|", "\\|") + " |\n");
  }
}
