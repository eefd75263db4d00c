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

import io.keylake.procedures.report.BarChart.Bar;
import io.keylake.procedures.report.SizeClasses.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parts of a report that are charts of all files.
 *
 * @param facts the table
 */
record FileSections(TableFacts facts) {
  void all(Markup out) {
    if (facts.files().total().files() == 0) {
      return;
    }
    if (facts.schema().hasPrimaryKey()) {
      perLevel(out);
    }
    skew(out);
    small(out);
    deleted(out);
    compaction(out);
  }

  private void perLevel(Markup out) {
    out.element("h2", "Files per level");
    out.element("p", "New rows arrive on level 0; compactions move them to the levels above.");
    List<Bar> bars = new ArrayList<>();
    for (Map.Entry<Integer, Sum> level : facts.files().levels().entrySet()) {
      Sum sum = level.getValue();
      String text = Quantities.count(sum.files(), "file") + ", " + Quantities.bytes(sum.bytes());
      bars.add(
          new Bar("level " + level.getKey(), sum.bytes(), text, "l" + Math.min(5, level.getKey())));
    }
    out.raw(BarChart.of("Bytes per level", bars, 0));
  }

  private void skew(Markup out) {
    FileTally files = facts.files();
    double mean = (double) files.total().bytes() / Math.max(1, files.buckets());
    out.element("h2", "Size of the buckets");
    String which =
        files.buckets() > files.largest().size()
            ? " Drawn: the largest "
                + files.largest().size()
                + " of "
                + Quantities.count(files.buckets())
                + "; half of all are below "
                + Quantities.bytes(files.bucketSizes().medianBelow())
                + "."
            : "";
    out.element(
        "p",
        "The dashed line is the mean, "
            + Quantities.bytes(Math.round(mean))
            + ". A bucket is written by one task."
            + which);
    List<Bar> bars =
        files.largest().stream()
            .map(
                bucket ->
                    new Bar(
                        bucket.label(),
                        bucket.sum().bytes(),
                        Quantities.bytes(bucket.sum().bytes())
                            + ", "
                            + Quantities.count(bucket.sum().rows(), "row"),
                        bucket.sum().bytes() > 4 * mean ? "bad" : "bar"))
            .toList();
    out.raw(BarChart.of("Bytes per bucket", bars, mean));
  }

  private void small(Markup out) {
    FileTally files = facts.files();
    out.element("h2", "Size of the files");
    out.element(
        "p",
        Quantities.count(files.small().files())
            + " of "
            + Quantities.count(files.total().files(), "file")
            + " are small, that is below "
            + Quantities.bytes(files.smallBytes())
            + "; they hold "
            + Quantities.percent(
                (double) files.small().bytes() / Math.max(1, files.total().bytes()))
            + " of the bytes.");
    List<Bar> bars = new ArrayList<>();
    for (SizeClass sizes : files.sizes().classes()) {
      bars.add(
          new Bar(
              "below " + Quantities.bytes(sizes.below()),
              sizes.count(),
              Quantities.count(sizes.count(), "file"),
              sizes.below() <= files.smallBytes() ? "bad" : "good"));
    }
    out.raw(BarChart.of("Files by size", bars, 0));
  }

  private void deleted(Markup out) {
    FileTally files = facts.files();
    out.element("h2", "Deleted rows");
    out.element(
        "p",
        Quantities.count(files.total().deleted())
            + " of "
            + Quantities.count(files.total().rows(), "stored row")
            + " are deleted by deletion vectors, or are deletes of rows in other files. Below:"
            + " files by their share of such rows.");
    List<Bar> bars = new ArrayList<>();
    List<Long> counts = files.deletedShares();
    for (int i = 0; i < counts.size(); i++) {
      int share = FileTally.SHARES.get(i);
      bars.add(
          new Bar(
              i == 0 ? "none" : "up to " + share + " %",
              counts.get(i),
              Quantities.count(counts.get(i), "file"),
              i == 0 ? "good" : share <= 20 ? "bad" : "worse"));
    }
    out.raw(BarChart.of("Files by share of deleted rows", bars, 0));
  }

  private void compaction(Markup out) {
    out.element("h2", "What a compaction would do");
    out.open("table").open("tr").element("th", "");
    List.of("Buckets", "Files rewritten", "Bytes", "Stored rows", "Files moved")
        .forEach(name -> out.element("th", name, "class", "n"));
    out.close("tr").line();
    work(out, "due by the table's options (minor)", facts.minor());
    work(out, "everything (full)", facts.full());
    out.close("table").line();
    out.element(
        "p", "A file that is moved gets another level in the metadata; its rows are not read.");
  }

  private static void work(Markup out, String name, Work work) {
    out.open("tr").element("td", name);
    number(out, Quantities.count(work.buckets()));
    number(out, Quantities.count(work.rewritten().files()));
    number(out, Quantities.bytes(work.rewritten().bytes()));
    number(out, Quantities.count(work.rewritten().rows()));
    number(out, Quantities.count(work.moved()));
    out.close("tr").line();
  }

  private static void number(Markup out, String text) {
    out.element("td", text, "class", "n");
  }
}
