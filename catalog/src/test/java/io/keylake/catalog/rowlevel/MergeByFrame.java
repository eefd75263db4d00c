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

package io.keylake.catalog.rowlevel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.MergeIntoWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A MERGE statement that is run by the methods of a DataFrame instead of SQL. Its target has the
 * alias {@code t}, which these methods do not have: its columns are named by the table's full name.
 */
final class MergeByFrame {
  private static final Pattern MERGE =
      Pattern.compile(
          "MERGE( WITH SCHEMA EVOLUTION)? INTO t USING (\\(.*\\)|\\w+)(?: AS)? (\\w+) ON (.*?)"
              + " (WHEN .*)");
  private static final Pattern CLAUSE =
      Pattern.compile("WHEN (MATCHED|NOT MATCHED BY SOURCE|NOT MATCHED)(?: AND (.*?))? THEN (.*)");
  private static final Pattern INSERT = Pattern.compile("INSERT \\((.*?)\\) VALUES \\((.*)\\)");

  private final SparkSession spark;
  private final String target;

  MergeByFrame(SparkSession spark, String target) {
    this.spark = spark;
    this.target = target;
  }

  static boolean isMerge(String statement) {
    return MERGE.matcher(statement).matches();
  }

  void run(String statement) {
    Matcher merge = MERGE.matcher(statement);
    if (!merge.matches()) {
      throw new IllegalArgumentException("Not a MERGE: " + statement);
    }
    String from = merge.group(2);
    Dataset<Row> source =
        (from.startsWith("(") ? spark.sql(from.substring(1, from.length() - 1)) : spark.table(from))
            .as(merge.group(3));
    MergeIntoWriter<Row> writer = source.mergeInto(target, column(merge.group(4)));
    for (String clause : merge.group(5).split(" (?=WHEN (NOT )?MATCHED)")) {
      writer = with(writer, clause);
    }
    (merge.group(1) == null ? writer : writer.withSchemaEvolution()).merge();
  }

  private MergeIntoWriter<Row> with(MergeIntoWriter<Row> writer, String text) {
    Matcher clause = CLAUSE.matcher(text);
    if (!clause.matches()) {
      throw new IllegalArgumentException("Not a clause: " + text);
    }
    Column condition = clause.group(2) == null ? null : column(clause.group(2));
    String action = clause.group(3);
    return switch (clause.group(1)) {
      case "MATCHED" -> {
        var matched = condition == null ? writer.whenMatched() : writer.whenMatched(condition);
        yield action.equals("DELETE")
            ? matched.delete()
            : action.equals("UPDATE SET *")
                ? matched.updateAll()
                : matched.update(assignments(action));
      }
      case "NOT MATCHED" -> {
        var notMatched =
            condition == null ? writer.whenNotMatched() : writer.whenNotMatched(condition);
        yield action.equals("INSERT *")
            ? notMatched.insertAll()
            : notMatched.insert(inserted(action));
      }
      default -> {
        var bySource =
            condition == null
                ? writer.whenNotMatchedBySource()
                : writer.whenNotMatchedBySource(condition);
        yield action.equals("DELETE") ? bySource.delete() : bySource.update(assignments(action));
      }
    };
  }

  private Column column(String text) {
    return functions.expr(qualified(text));
  }

  private String qualified(String text) {
    return text.replaceAll("(?<![\\w.'])t\\.", Matcher.quoteReplacement(target + "."));
  }

  private scala.collection.immutable.Map<String, Column> assignments(String action) {
    Map<String, Column> columns = new LinkedHashMap<>();
    for (String part : parts(action.substring("UPDATE SET ".length()))) {
      int equals = part.indexOf('=');
      columns.put(
          qualified(part.substring(0, equals).strip()), column(part.substring(equals + 1).strip()));
    }
    return scala(columns);
  }

  private scala.collection.immutable.Map<String, Column> inserted(String action) {
    Matcher insert = INSERT.matcher(action);
    if (!insert.matches()) {
      throw new IllegalArgumentException("Not an INSERT: " + action);
    }
    List<String> names = parts(insert.group(1));
    List<String> values = parts(insert.group(2));
    Map<String, Column> columns = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      columns.put(names.get(i), column(values.get(i)));
    }
    return scala(columns);
  }

  private static scala.collection.immutable.Map<String, Column> scala(Map<String, Column> columns) {
    return Map$.MODULE$.from(CollectionConverters.asScala(columns));
  }

  /** Splits at commas outside of parentheses. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    parts.add(text.substring(start).strip());
    return parts;
  }
}
