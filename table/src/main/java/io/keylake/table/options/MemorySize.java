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

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written as a number with the unit b, kb, mb, gb or tb (powers of 1024); no
 * unit means bytes.
 *
 * @param bytes at least 0
 */
public record MemorySize(long bytes) {
  private static final Pattern TEXT = Pattern.compile("(\\d+)\\s*([a-z]*)");

  /** Checks the range. */
  public MemorySize {
    if (bytes < 0) {
      throw new IllegalArgumentException("A size cannot be negative: " + bytes);
    }
  }

  /** So many mebibytes. */
  public static MemorySize ofMebiBytes(long count) {
    return new MemorySize(Math.multiplyExact(count, 1L << 20));
  }

  /**
   * Parses text such as {@code 128 mb}.
   *
   * @throws IllegalArgumentException when the text is no size
   * @throws ArithmeticException when it is larger than a long
   */
  public static MemorySize parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    int shift =
        switch (matcher.group(2)) {
          case "", "b", "byte", "bytes" -> 0;
          case "k", "kb", "kib", "kibibytes" -> 10;
          case "m", "mb", "mib", "mebibytes" -> 20;
          case "g", "gb", "gib", "gibibytes" -> 30;
          case "t", "tb", "tib", "tebibytes" -> 40;
          default -> throw new IllegalArgumentException(text);
        };
    return new MemorySize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift));
  }

  /** The shortest exact text. */
  public String text() {
    String[] units = {" b", " kb", " mb", " gb", " tb"};
    long amount = bytes;
    int unit = 0;
    while (unit < units.length - 1 && amount >= 1024 && amount % 1024 == 0) {
      amount /= 1024;
      unit++;
    }
    return amount + units[unit];
  }

  @Override
  public String toString() {
    return text();
  }
}
