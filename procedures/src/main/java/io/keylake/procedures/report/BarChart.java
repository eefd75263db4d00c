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

import io.keylake.procedures.report.Svg.Area;
import java.util.List;

/** Bars that lie below each other. */
final class BarChart {
  private static final int ROW = 20;
  private static final int TEXT = 190;
  private static final int VALUE = 150;
  private static final int LETTERS = 30;

  private BarChart() {}

  /**
   * A bar.
   *
   * @param label at its left
   * @param value how long it is
   * @param text at its right
   * @param style its class
   */
  record Bar(String label, double value, String text, String style) {}

  /** The chart of these bars; {@code mark} is a value that a line shows, 0 = none. */
  static String of(String title, List<Bar> bars, double mark) {
    Svg svg = new Svg(ROW * bars.size() + 6, title);
    double most = Math.max(mark, bars.stream().mapToDouble(Bar::value).max().orElse(0));
    double room = Svg.WIDTH - TEXT - VALUE;
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      double y = i * ROW + 3;
      double width = most == 0 ? 0 : room * bar.value() / most;
      svg.label(TEXT - 8, y + 13, "e", shortened(bar.label()));
      svg.box(
          new Area(TEXT, y + 2, bar.value() == 0 ? 0 : Math.max(2, width), ROW - 6),
          bar.style(),
          bar.label() + ": " + bar.text());
    }
    if (mark > 0 && most > 0) {
      double x = TEXT + room * mark / most;
      svg.line(x, 0, x, ROW * bars.size() + 6, "mark");
    }
    for (int i = 0; i < bars.size(); i++) {
      double width = most == 0 ? 0 : room * bars.get(i).value() / most;
      svg.label(TEXT + Math.max(2, width) + 6, i * ROW + 16, "v", bars.get(i).text());
    }
    return svg.toString();
  }

  private static String shortened(String label) {
    return label.length() <= LETTERS ? label : "…" + label.substring(label.length() - LETTERS + 1);
  }
}
