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

/** A drawing, {@value #WIDTH} units wide. For one thread. */
final class Svg {
  static final int WIDTH = 760;

  private final Markup body = new Markup();
  private final double height;
  private final String title;

  /** An empty drawing; {@code title} says what it shows, for those who cannot see it. */
  Svg(double height, String title) {
    this.height = height;
    this.title = title;
  }

  /** A rectangle. */
  record Area(double x, double y, double width, double height) {}

  /** A rectangle that says {@code tip} when it is pointed at. */
  void box(Area area, String style, String tip) {
    body.open("rect", attributes(area, style)).element("title", tip).close("rect");
  }

  void box(Area area, String style) {
    body.empty("rect", attributes(area, style));
  }

  private static String[] attributes(Area area, String style) {
    return new String[] {
      "x", Quantities.point(area.x()),
      "y", Quantities.point(area.y()),
      "width", Quantities.point(Math.max(0, area.width())),
      "height", Quantities.point(Math.max(0, area.height())),
      "class", style
    };
  }

  void line(double x1, double y1, double x2, double y2, String style) {
    body.empty(
        "line",
        "x1",
        Quantities.point(x1),
        "y1",
        Quantities.point(y1),
        "x2",
        Quantities.point(x2),
        "y2",
        Quantities.point(y2),
        "class",
        style);
  }

  /** A line through points, written as {@code x,y x,y}. */
  void path(String points, String style) {
    body.empty("polyline", "points", points, "class", style);
  }

  /** A text that begins at x. */
  void label(double x, double y, String style, String text) {
    body.element("text", text, "x", Quantities.point(x), "y", Quantities.point(y), "class", style);
  }

  @Override
  public String toString() {
    String size = WIDTH + " " + Quantities.point(height);
    return new Markup()
        .open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + size, "role", "img")
        .element("title", title)
        .raw(body.toString())
        .close("svg")
        .line()
        .toString();
  }
}
