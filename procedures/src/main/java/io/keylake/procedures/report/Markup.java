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

package io.keylake.procedures.report;

/**
 * Text of HTML and SVG that is well-formed as XML, too: every element is closed, and every value is
 * escaped. For one thread.
 */
final class Markup {
  private final StringBuilder out = new StringBuilder();

  /** Begins an element; {@code attributes} are names and values in turn. */
  Markup open(String element, String... attributes) {
    start(element, attributes);
    out.append('>');
    return this;
  }

  /** Ends the element that was begun last. */
  Markup close(String element) {
    out.append("</").append(element).append('>');
    return this;
  }

  /** An element of SVG with nothing in it. */
  Markup empty(String element, String... attributes) {
    start(element, attributes);
    out.append("/>");
    return this;
  }

  /** An element with text in it. */
  Markup element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close(element);
  }

  /** Text. */
  Markup text(String text) {
    escape(text);
    return this;
  }

  /** Ends a line, for those who read the source. */
  Markup line() {
    out.append('\n');
    return this;
  }

  /** What is markup already and made by this program. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  private void start(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
  }

  /** Characters that XML does not have are shown as unknown ones. */
  private void escape(String text) {
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\n', '\t' -> out.appendCodePoint(point);
                default -> out.appendCodePoint(isCharacter(point) ? point : 0xFFFD);
              }
            });
  }

  private static boolean isCharacter(int point) {
    return point >= 0x20
        && !(point >= 0x7F && point < 0xA0)
        && !(point >= 0xD800 && point < 0xE000)
        && point != 0xFFFE
        && point != 0xFFFF;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
