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

import io.keylake.format.snapshot.Snapshot;
import io.keylake.procedures.report.Hints.Hint;
import io.keylake.procedures.report.ReportStyle.Key;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * A report as HTML with drawings in SVG. It names no other file or host, runs no script, and every
 * text in it is escaped: it can be mailed, and put into another page.
 */
final class ReportPage {
  private static final int CELL_PICTURES = 4;
  private static final int CELL_SNAPSHOTS = 5;
  private static final int PAGE_SNAPSHOTS = 15;
  private static final int CELL_COLUMNS = 30;
  private static final int PAGE_COLUMNS = 300;

  private final TableFacts facts;
  private final DateTimeFormatter times;

  /** How much is shown. */
  enum Form {
    /** Everything, as a file. */
    PAGE,
    /** The table, its last snapshots and a few buckets, as a part of another page. */
    CELL
  }

  /** A report whose times are those of {@code zone}. */
  ReportPage(TableFacts facts, ZoneId zone) {
    this.facts = facts;
    this.times = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(zone);
  }

  /** The text, all of it. */
  String text(Form form) {
    return switch (form) {
      case CELL -> body(form);
      case PAGE ->
          ReportFile.MARK
              + new Markup()
                  .open("html", "lang", "en")
                  .open("head")
                  .empty("meta", "charset", "utf-8")
                  .empty("meta", "name", "viewport", "content", "width=device-width")
                  .element("title", facts.name().text() + " - Keylake")
                  .close("head")
                  .open("body", "style", "margin:0;background:#fff")
                  .line()
                  .raw(body(form))
                  .close("body")
                  .close("html")
                  .line();
    };
  }

  private String body(Form form) {
    boolean isPage = form == Form.PAGE;
    Markup out = new Markup();
    out.open("div", "class", isPage ? "keylake" : "keylake cell");
    out.open("style").raw(ReportStyle.CSS).close("style").line();
    head(out);
    tiles(out);
    if (isPage) {
      hints(out);
    }
    TableSections tables = new TableSections(facts, times);
    tables.columns(out, isPage ? PAGE_COLUMNS : CELL_COLUMNS);
    if (isPage) {
      tables.options(out);
      timeline(out);
    }
    tables.snapshots(out, isPage ? PAGE_SNAPSHOTS : CELL_SNAPSHOTS);
    levels(out, isPage ? facts.pictures().size() : CELL_PICTURES);
    if (isPage) {
      new FileSections(facts).all(out);
      out.element(
          "p",
          "Read from the table's metadata; no data file was opened. Times are of the zone "
              + times.getZone()
              + ".",
          "class",
          "foot");
    }
    out.close("div").line();
    return out.toString();
  }

  private void head(Markup out) {
    Snapshot snapshot = facts.snapshot();
    String branch = facts.branch().equals("main") ? "" : ", branch " + facts.branch();
    String version =
        snapshot == null
            ? "no snapshot yet"
            : "snapshot " + snapshot.id() + " of " + time(snapshot.timeMillis());
    out.element("h1", facts.name().text());
    out.element("div", facts.location() + branch + " · " + version, "class", "place");
    if (facts.schema().comment() != null) {
      out.element("p", facts.schema().comment());
    }
    out.line();
  }

  private String time(long millis) {
    return times.format(Instant.ofEpochMilli(millis));
  }

  private void tiles(Markup out) {
    FileTally files = facts.files();
    Sum total = files.total().plus(files.staged());
    out.open("div", "class", "tiles");
    tile(out, Quantities.count(total.rows()), "stored rows");
    tile(out, Quantities.bytes(total.bytes()), "in data files");
    tile(out, Quantities.count(total.files()), "data files");
    if (!facts.schema().partitionKeys().isEmpty()) {
      tile(out, Quantities.count(facts.partitions()), "partitions");
    }
    tile(out, Quantities.count(files.buckets()), "buckets");
    if (facts.schema().hasPrimaryKey()) {
      String runs = String.format(Locale.ROOT, "%.1f", files.runsPerBucket());
      tile(out, runs, "sorted runs a bucket");
    }
    tile(out, Quantities.percent(total.deletedShare()), "deleted rows");
    tile(out, Quantities.count(facts.history().count()), "snapshots");
    out.close("div").line();
  }

  private static void tile(Markup out, String value, String text) {
    out.open("div", "class", "tile").element("b", value).element("span", text).close("div");
  }

  private void hints(Markup out) {
    List<Hint> hints = new Hints(facts).all();
    out.open("div", "class", hints.isEmpty() ? "hints fine" : "hints").open("ul");
    if (hints.isEmpty()) {
      out.element("li", "Nothing needs to be done.");
    }
    for (Hint hint : hints) {
      out.open("li").text(hint.text());
      if (!hint.statement().isEmpty()) {
        out.text(" ").element("code", hint.statement());
      }
      out.close("li");
    }
    out.close("ul").close("div").line();
  }

  private void timeline(Markup out) {
    List<Snapshot> shown = facts.history().newest();
    if (shown.isEmpty()) {
      return;
    }
    out.element("h2", "Snapshots over time");
    int count = facts.history().count();
    out.element(
        "p",
        "Stored rows after each snapshot, and below what it added or removed."
            + (count > shown.size()
                ? " Drawn: the newest " + shown.size() + " of " + Quantities.count(count) + "."
                : ""));
    legend(
        out,
        List.of(
            new Key("#22a06b", "append"),
            new Key("#8b5cf6", "compact"),
            new Key("#d97706", "overwrite"),
            new Key("#9333ea", "tag")));
    List<String> ends =
        List.of(time(shown.get(0).timeMillis()), time(shown.get(shown.size() - 1).timeMillis()));
    out.raw(TimelineChart.of(shown, facts.history().tags(), this::tip, ends));
  }

  private String tip(Snapshot snapshot) {
    return "snapshot "
        + snapshot.id()
        + ", "
        + TableSections.operation(snapshot)
        + ", "
        + time(snapshot.timeMillis())
        + "\nrows "
        + TableSections.signed(snapshot.deltaRecordCount())
        + ", now "
        + Quantities.count(snapshot.totalRecordCount());
  }

  private void levels(Markup out, int most) {
    if (facts.pictures().isEmpty()) {
      return;
    }
    boolean isKeyed = facts.schema().hasPrimaryKey();
    List<BucketPicture> drawn =
        facts.pictures().subList(0, Math.min(most, facts.pictures().size()));
    out.element("h2", isKeyed ? "Levels of the buckets" : "Files of the buckets");
    String which =
        facts.files().buckets() > drawn.size()
            ? " Drawn: "
                + drawn.size()
                + " of "
                + Quantities.count(facts.files().buckets(), "bucket")
                + ", those that cost readers most."
            : "";
    out.element(
        "p",
        (isKeyed
                ? "A line for each sorted run, the newest on top; a box for each file over the"
                    + " range of its keys, higher if it is larger."
                : "A box for each file, as wide as it is large.")
            + which);
    legend(out, isKeyed ? keyedLegend() : List.of(new Key("#b91c1c", "share of deleted rows")));
    for (BucketPicture picture : drawn) {
      out.element("h3", title(picture));
      out.raw(LevelChart.of(picture, facts.files().smallBytes()));
    }
  }

  private static List<Key> keyedLegend() {
    return List.of(
        new Key("#ea8a1c", "level 0"),
        new Key("#6366f1", "levels between"),
        new Key("#0f766e", "level 5 and above"),
        new Key("#b91c1c", "share of deleted rows, and deletes"),
        new Key("#bbf7d0", "keys in one run"),
        new Key("#f87171", "in several"));
  }

  private static void legend(Markup out, List<Key> keys) {
    out.open("p");
    for (Key key : keys) {
      out.element("span", "", "class", "key", "style", "background:" + key.color());
      out.text(key.text());
    }
    out.close("p").line();
  }

  private static String title(BucketPicture picture) {
    BucketSize size = picture.size();
    Sum sum = size.sum();
    String runs = size.runs() == 0 ? "" : ", " + Quantities.count(size.runs(), "sorted run");
    String hidden =
        picture.hiddenRuns() == 0
            ? ""
            : " (" + Quantities.count(picture.hiddenRuns(), "run") + " in the middle not drawn)";
    return size.label()
        + ": "
        + Quantities.count(sum.files(), "file")
        + runs
        + hidden
        + ", "
        + Quantities.bytes(sum.bytes())
        + ", "
        + Quantities.count(sum.rows(), "row");
  }
}
