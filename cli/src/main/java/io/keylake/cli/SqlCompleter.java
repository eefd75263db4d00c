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

package io.keylake.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes words of SQL, tables of the current namespace, and columns of those tables that the
 * statement names.
 */
final class SqlCompleter implements Completer {
  private static final List<String> WORDS =
      List.of(
          """
          ADD ALTER AND AS ASC BETWEEN BY CALL CASE CAST COLUMN COMMENT CREATE DATABASE DEFAULT
          DELETE DESC DESCRIBE DISTINCT DROP ELSE END EXISTS EXPLAIN EXTENDED FALSE FROM GROUP
          HAVING IF IN INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT MATCHED MERGE NAMESPACE NOT
          NULL ON OR ORDER OVER OVERWRITE PARTITION PARTITIONED PARTITIONS PRIMARY REFRESH RENAME
          REPLACE RIGHT SELECT SET SHOW TABLE TABLES TBLPROPERTIES THEN TIMESTAMP TO TRUE TRUNCATE
          UNION UNSET UPDATE USE USING VALUES VERSION WHEN WHERE WITH\
          """
              .split("\\s+"));

  private final SparkSession spark;

  SqlCompleter(SparkSession spark) {
    this.spark = spark;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    boolean lowerCase = line.word().chars().anyMatch(Character::isLowerCase);
    WORDS.forEach(word -> add(candidates, lowerCase ? word.toLowerCase(Locale.ROOT) : word));
    Set<String> tables = tables();
    tables.forEach(table -> add(candidates, table));
    Set<String> named = Arrays.stream(line.line().split("[^\\w$]+")).collect(Collectors.toSet());
    named.retainAll(tables);
    named.forEach(table -> columns(table).forEach(column -> add(candidates, column)));
  }

  private static void add(List<Candidate> candidates, String word) {
    candidates.add(new Candidate(word));
  }

  /** What cannot be listed cannot be completed: a failing catalog shows when a statement runs. */
  private Set<String> tables() {
    try {
      return spark.sql("SHOW TABLES").collectAsList().stream()
          .map(row -> row.getString(1))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (Exception e) {
      return Set.of();
    }
  }

  private List<String> columns(String table) {
    try {
      return List.of(spark.table("`" + table + "`").columns());
    } catch (Exception e) {
      return List.of();
    }
  }
}
