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

import io.keylake.procedures.report.BucketPicture.Box;
import io.keylake.procedures.report.BucketPicture.Depth;
import io.keylake.procedures.report.BucketPicture.Row;
import io.keylake.procedures.report.Svg.Area;

/**
 * A bucket: a line for each sorted run, newest on top, and in it a box for each file over the range
 * of its keys, the higher the larger the file; below, how many runs hold a key.
 */
final class LevelChart {
  private static final int LEFT = 46;
  private static final int RIGHT = 8;
  private static final int ROW = 24;
  private static final int STRIP = 8;
  private static final int DEEPEST = 5;
  private static final double LETTER = 6.2;

  private final BucketPicture picture;
  private final long smallBytes;
  private final double largest;

  private LevelChart(BucketPicture picture, long smallBytes) {
    this.picture = picture;
    this.smallBytes = smallBytes;
    this.largest =
        Math.max(
            1,
            picture.rows().stream()
                .flatMap(row -> row.boxes().stream())
                .mapToLong(box -> box.sum().bytes())
                .max()
                .orElse(1));
  }

  /** The drawing; files below {@code smallBytes} are shown as small. */
  static String of(BucketPicture picture, long smallBytes) {
    return new LevelChart(picture, smallBytes).draw();
  }

  private String draw() {
    int rows = picture.rows().size();
    boolean isKeyed = picture.range() != null;
    Svg svg =
        new Svg(ROW * rows + (isKeyed ? STRIP + 24 : 4), "Levels of " + picture.size().label());
    for (int i = 0; i < rows; i++) {
      row(svg, picture.rows().get(i), i * ROW, isKeyed);
    }
    if (isKeyed) {
      double y = ROW * rows + 4;
      svg.label(LEFT - 6, y + STRIP, "e small", "overlap");
      for (Depth depth : picture.overlap()) {
        svg.box(
            new Area(x(depth.from()), y, width(depth.from(), depth.to()), STRIP),
            "depth" + Math.min(DEEPEST, depth.runs()),
            Quantities.count(depth.runs(), "sorted run") + " hold these keys");
      }
      svg.label(LEFT, y + STRIP + 13, "small", "keys " + picture.range());
    }
    return svg.toString();
  }

  private void row(Svg svg, Row row, double y, boolean isKeyed) {
    svg.label(LEFT - 6, y + ROW - 8, "e", isKeyed ? "level " + row.level() : "files");
    svg.line(LEFT, y + ROW - 1, Svg.WIDTH - RIGHT, y + ROW - 1, "grid");
    for (Box box : row.boxes()) {
      Sum sum = box.sum();
      double width = width(box.from(), box.to());
      double height = 6 + (ROW - 8) * Math.sqrt(sum.bytes() / largest);
      Area area = new Area(x(box.from()), y + ROW - 1 - height, Math.max(1.5, width - 1), height);
      String size = Quantities.bytes(sum.bytes());
      svg.box(area, style(row.level(), sum), tip(box, size));
      double marked = height * Math.min(1, sum.deletedShare());
      if (marked > 0.5) {
        svg.box(
            new Area(area.x(), y + ROW - 1 - marked, area.width(), marked),
            "deleted",
            tip(box, size));
      }
      if (width > size.length() * LETTER + 6 && height >= 12) {
        svg.label(area.x() + 4, area.y() + 10, "in", size);
      }
    }
  }

  private String style(int level, Sum sum) {
    boolean isSmall = sum.bytes() < smallBytes * sum.files();
    String color = picture.range() == null ? "bar" : "l" + Math.min(level, DEEPEST);
    return color + (isSmall ? " smallfile" : "");
  }

  private static String tip(Box box, String size) {
    Sum sum = box.sum();
    String deleted =
        sum.deleted() == 0
            ? ""
            : ", " + Quantities.count(sum.deleted()) + " of them deleted or deletes";
    return box.text() + "\n" + size + ", " + Quantities.count(sum.rows(), "row") + deleted;
  }

  private static double x(double place) {
    return LEFT + (Svg.WIDTH - LEFT - RIGHT) * place;
  }

  private static double width(double from, double to) {
    return (Svg.WIDTH - LEFT - RIGHT) * (to - from);
  }
}
