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

import java.util.Locale;

/** Numbers as people read them. */
final class Quantities {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Quantities() {}

  /** {@code 1,234}. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** {@code 1 file}, {@code 3 files}. */
  static String count(long value, String one) {
    return count(value) + " " + one + (value == 1 ? "" : "s");
  }

  /** {@code 12.3 MiB}. */
  static String bytes(long value) {
    if (value < 1024) {
      return value + " B";
    }
    double scaled = value;
    int unit = -1;
    while (scaled >= 1024 && unit < UNITS.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, scaled < 10 ? "%.1f %s" : "%.0f %s", scaled, UNITS[unit]);
  }

  /** {@code 12.5 %} of a share from 0 to 1. */
  static String percent(double share) {
    double percent = 100 * share;
    boolean isWhole = percent == Math.rint(percent) || percent >= 10;
    return String.format(Locale.ROOT, isWhole ? "%.0f %%" : "%.1f %%", percent);
  }

  /** A coordinate. */
  static String point(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
