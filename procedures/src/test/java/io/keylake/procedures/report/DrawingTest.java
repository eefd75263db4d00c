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

import static org.assertj.core.api.Assertions.assertThat;

import io.keylake.procedures.report.BarChart.Bar;
import io.keylake.procedures.report.SizeClasses.SizeClass;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DrawingTest {
  @Test
  void markupEscapesEveryText() {
    String text =
        new Markup()
            .open("a", "title", "1 < 2 & \"3\"")
            .text("<b>'x'\u0000\ud800\u00e9</b>")
            .empty("r", "k", "v")
            .close("a")
            .toString();
    assertThat(text)
        .isEqualTo(
            "<a title=\"1 &lt; 2 &amp; &quot;3&quot;\">&lt;b&gt;&#39;x&#39;\ufffd\ufffd\u00e9"
                + "&lt;/b&gt;<r k=\"v\"/></a>");
  }

  @Test
  void quantitiesAreRoundedForPeople() {
    assertThat(List.of(Quantities.bytes(1023), Quantities.bytes(1536), Quantities.bytes(50 << 20)))
        .containsExactly("1023 B", "1.5 KiB", "50 MiB");
    assertThat(Quantities.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
    assertThat(List.of(Quantities.count(1, "file"), Quantities.count(1234, "file")))
        .containsExactly("1 file", "1,234 files");
    assertThat(List.of(Quantities.percent(0), Quantities.percent(0.055), Quantities.percent(0.5)))
        .containsExactly("0 %", "5.5 %", "50 %");
  }

  @Test
  void classEndsAtPowerOfTwo() {
    SizeClasses sizes = new SizeClasses();
    assertThat(sizes.classes()).isEmpty();
    assertThat(sizes.medianBelow()).isZero();
    List.of(3L, 4L, 5L, 16L).forEach(sizes::add);
    assertThat(sizes.classes())
        .containsExactly(
            new SizeClass(4, 1), new SizeClass(8, 2), new SizeClass(16, 0), new SizeClass(32, 1));
    assertThat(sizes.medianBelow()).isEqualTo(8);
    sizes.add(Long.MAX_VALUE);
    assertThat(sizes.classes()).last().isEqualTo(new SizeClass(Long.MAX_VALUE, 1));
  }

  @Test
  void onlyTheLargestAreKept() {
    Largest<Integer> largest = new Largest<>(3, Integer::compare);
    List.of(5, 1, 9, 7, 3, 8).forEach(largest::add);
    assertThat(largest.all()).containsExactly(9, 8, 7);
  }

  @Test
  void filesAreCountedByTheirShareOfDeletedRows() {
    FileTally tally = new FileTally(100);
    tally.file(0, new Sum(1, 50, 100, 0));
    tally.file(0, new Sum(1, 150, 100, 5));
    tally.file(5, new Sum(1, 99, 100, 51));
    assertThat(tally.deletedShares()).containsExactly(1L, 1L, 0L, 0L, 0L, 1L);
    assertThat(tally.small()).isEqualTo(new Sum(2, 149, 200, 51));
    assertThat(tally.levels()).containsEntry(0, new Sum(2, 200, 200, 5)).hasSize(2);
  }

  @Test
  void barIsAsLongAsItsValue() {
    String chart =
        BarChart.of("t", List.of(new Bar("a", 10, "ten", "x"), new Bar("b", 5, "five", "x")), 0);
    assertThat(chart).contains("width=\"420\"", "width=\"210\"", ">five</text>");
  }
}
