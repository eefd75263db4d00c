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

import io.keylake.format.snapshot.CommitKind;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.procedures.report.Svg.Area;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * Snapshots over time: the stored rows as a line, and below it a bar for each snapshot, which shows
 * the rows that it added or took away; tags are flags.
 */
final class TimelineChart {
  private static final int LEFT = 70;
  private static final int RIGHT = 14;
  private static final int FLAGS = 18;
  private static final int CURVE = 100;
  private static final int BARS = 60;
  private static final int GAP = 14;

  private final List<Snapshot> snapshots;
  private final Function<Snapshot, String> tips;
  private final long begin;
  private final long span;

  private TimelineChart(List<Snapshot> snapshots, Function<Snapshot, String> tips) {
    this.snapshots = snapshots;
    this.tips = tips;
    this.begin = snapshots.get(0).timeMillis();
    this.span = snapshots.get(snapshots.size() - 1).timeMillis() - begin;
  }

  /**
   * The chart.
   *
   * @param snapshots oldest first, at least one
   * @param tags of these snapshots or others, which are not drawn
   * @param tips what is said of a snapshot that is pointed at
   * @param times the first and the last time
   */
  static String of(
      List<Snapshot> snapshots,
      List<Tag> tags,
      Function<Snapshot, String> tips,
      List<String> times) {
    return new TimelineChart(snapshots, tips).draw(tags, times);
  }

  private String draw(List<Tag> tags, List<String> times) {
    double bottom = FLAGS + CURVE + GAP + BARS;
    Svg svg = new Svg(bottom + 18, "Snapshots over time");
    curve(svg);
    bars(svg);
    for (Tag tag : tags) {
      for (int i = 0; i < snapshots.size(); i++) {
        if (snapshots.get(i).id() == tag.snapshot().id()) {
          double x = x(i);
          svg.line(x, FLAGS - 4, x, bottom, "flag");
          boolean isRight = x > Svg.WIDTH * 0.7;
          svg.label(
              isRight ? x - 4 : x + 4, FLAGS - 6, isRight ? "e flagname" : "flagname", tag.name());
        }
      }
    }
    svg.label(LEFT, bottom + 14, "small", times.get(0));
    if (snapshots.size() > 1) {
      svg.label(Svg.WIDTH - RIGHT, bottom + 14, "e small", times.get(1));
    }
    return svg.toString();
  }

  private void curve(Svg svg) {
    long most =
        Math.max(1, snapshots.stream().mapToLong(Snapshot::totalRecordCount).max().orElse(1));
    svg.label(LEFT - 8, FLAGS + 10, "e small", Quantities.count(most));
    svg.label(LEFT - 8, FLAGS + CURVE, "e small", "0 rows");
    svg.line(LEFT, FLAGS, Svg.WIDTH - RIGHT, FLAGS, "grid");
    svg.line(LEFT, FLAGS + CURVE, Svg.WIDTH - RIGHT, FLAGS + CURVE, "grid");
    StringJoiner points = new StringJoiner(" ");
    double before = FLAGS + CURVE;
    for (int i = 0; i < snapshots.size(); i++) {
      double y = FLAGS + CURVE - CURVE * (double) snapshots.get(i).totalRecordCount() / most;
      if (i > 0) {
        points.add(Quantities.point(x(i)) + "," + Quantities.point(before));
      }
      points.add(Quantities.point(x(i)) + "," + Quantities.point(y));
      before = y;
    }
    points.add(Quantities.point(Svg.WIDTH - RIGHT) + "," + Quantities.point(before));
    svg.path(points.toString(), "curve");
  }

  private void bars(Svg svg) {
    double middle = FLAGS + CURVE + GAP + BARS / 2.0;
    double most =
        Math.max(
            1, snapshots.stream().mapToLong(s -> Math.abs(s.deltaRecordCount())).max().orElse(1));
    svg.label(LEFT - 8, middle + 4, "e small", "change");
    svg.line(LEFT, middle, Svg.WIDTH - RIGHT, middle, "grid");
    double width = Math.max(2, Math.min(8, (Svg.WIDTH - LEFT - RIGHT) / (3.0 * snapshots.size())));
    for (int i = 0; i < snapshots.size(); i++) {
      Snapshot snapshot = snapshots.get(i);
      double height =
          Math.max(2, BARS / 2.0 * Math.sqrt(Math.abs(snapshot.deltaRecordCount()) / most));
      double y = snapshot.deltaRecordCount() < 0 ? middle : middle - height;
      svg.box(
          new Area(x(i) - width / 2, y, width, height),
          style(snapshot.commitKind()),
          tips.apply(snapshot));
    }
  }

  static String style(CommitKind kind) {
    return "kind" + kind.name().toLowerCase(Locale.ROOT);
  }

  /** By time; where all have one time, side by side. */
  private double x(int index) {
    double room = Svg.WIDTH - LEFT - RIGHT - 8;
    if (snapshots.size() == 1) {
      return LEFT + 4;
    }
    double share =
        span <= 0
            ? (double) index / (snapshots.size() - 1)
            : (double) (snapshots.get(index).timeMillis() - begin) / span;
    return LEFT + 4 + room * Math.min(1, Math.max(0, share));
  }
}
