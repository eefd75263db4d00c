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

package io.keylake.catalog.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keylake.catalog.SharedSpark;
import io.keylake.spark.convert.KeylakeException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class ReportProcedureSparkTest {
  @TempDir private Path warehouse;
  @TempDir private Path elsewhere;

  @Test
  void pageShowsEveryFileOfAKeyedTableAndNoMarkupOfItsTexts() throws Exception {
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.sql(
        "CREATE TABLE lake.db.t (id BIGINT, v STRING COMMENT '<script>alert(1)</script>',"
            + " PRIMARY KEY (id) NOT ENFORCED)"
            + " TBLPROPERTIES ('bucket' = '2', 'write-only' = 'true')");
    spark.sql("INSERT INTO lake.db.t SELECT id, 'a' FROM range(100)");
    spark.sql("INSERT INTO lake.db.t SELECT id, 'b' FROM range(50, 150)");
    spark.sql("DELETE FROM lake.db.t WHERE id < 10");
    spark.sql("CALL lake.sys.create_tag(table => 'db.t', tag => '<i>x', snapshot => 2)");

    Path page = elsewhere.resolve("new/t.html");
    Row result = report(spark, page);
    String text = Files.readString(page);
    assertThat(result.getString(0)).endsWith("/new/t.html");
    assertThat(result.getLong(1)).isEqualTo(Files.size(page));
    assertThat(result.getLong(2)).isEqualTo(3);
    assertThat(result.isNullAt(3)).isTrue();

    assertThat(text)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;i&gt;x", "delete")
        .doesNotContain("<script", "<i>", "href", "src=", "url(");
    assertThat(text.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:");
    Document document = parsed(text);
    List<Element> levels = elements(document, "svg", svg -> title(svg).startsWith("Levels of "));
    assertThat(levels).hasSize(2);
    assertThat(
            elements(document, "rect", rect -> title(rect).contains("keys [")).stream()
                .filter(rect -> rect.getAttribute("class").startsWith("l0")))
        .hasSize(6);
    assertThat(text).contains("everything (full)", "What a compaction would do");

    spark.sql("INSERT INTO lake.db.t VALUES (1, 'c')");
    assertThat(report(spark, page).getLong(2)).as("a report is replaced").isEqualTo(4);
    refusesOtherPlaces(spark);
  }

  private void refusesOtherPlaces(SharedSpark spark) throws Exception {
    Path other = Files.writeString(elsewhere.resolve("mine.html"), "<!DOCTYPE html>\n<p>mine</p>");
    refused(spark, other, "KEYLAKE_INVALID_REQUEST");
    assertThat(other).hasContent("<!DOCTYPE html>\n<p>mine</p>");
    refused(spark, elsewhere.resolve("t.txt"), "KEYLAKE_INVALID_REQUEST");
    refused(spark, Files.createDirectory(elsewhere.resolve("d.html")), "KEYLAKE_INVALID_REQUEST");
    Path table = warehouse.resolve("db.db/t");
    assertThat(table).isDirectory();
    refused(spark, table.resolve("bucket-0/r.html"), "KEYLAKE_FORBIDDEN_PATH");
    refused(spark, table.resolve("../t/r.html"), "KEYLAKE_FORBIDDEN_PATH");
  }

  private static void refused(SharedSpark spark, Path path, String condition) {
    assertThatThrownBy(() -> report(spark, path))
        .isInstanceOfSatisfying(
            KeylakeException.class,
            failure -> assertThat(failure.getCondition()).isEqualTo(condition));
  }

  @Test
  void cellOfTablesWithoutKeysOrRowsComesAsTheResult() throws Exception {
    SharedSpark spark = SharedSpark.over(warehouse);
    spark.sql("CREATE TABLE lake.db.log (a INT, p STRING) PARTITIONED BY (p)");
    Row empty = cell(spark);
    assertThat(empty.isNullAt(0)).isTrue();
    assertThat(empty.isNullAt(2)).isTrue();
    assertThat(empty.getString(3)).contains("no row was ever written").startsWith("<div");
    spark.sql("INSERT INTO lake.db.log VALUES (1, 'x'), (2, 'y'), (3, 'y')");
    String cell = cell(spark).getString(3);
    Document document = parsed(cell);
    assertThat(elements(document, "svg", svg -> title(svg).startsWith("Levels of p="))).hasSize(2);
    assertThat(cell).contains("p=x: 1 file").doesNotContain("What a compaction");
  }

  private static Row report(SharedSpark spark, Path path) {
    return spark.sql("CALL lake.sys.report(table => 'db.t', path => '" + path + "')").first();
  }

  private static Row cell(SharedSpark spark) {
    return spark.sql("CALL lake.sys.report(table => 'db.log', form => 'cell')").first();
  }

  private static Document parsed(String text) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(
      Document document, String name, Predicate<Element> condition) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      Element element = (Element) nodes.item(i);
      if (condition.test(element)) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static String title(Element element) {
    NodeList titles = element.getElementsByTagName("title");
    return titles.getLength() == 0 ? "" : titles.item(0).getTextContent();
  }
}
