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

import java.util.ArrayList;
import java.util.List;

/**
 * What somebody who looks after the table might do. Says nothing about tables that a few writes
 * have made: limits are such that a well-kept table has no hints.
 *
 * @param facts the table
 */
record Hints(TableFacts facts) {
  private static final double MUCH_DELETED = 0.2;
  private static final double MANY_SMALL = 0.5;
  private static final double MANY_RUNS = 5;
  private static final double SKEW = 4;
  private static final int SOME_BUCKETS = 4;
  private static final int MANY_SNAPSHOTS = 1000;

  /**
   * A piece of advice.
   *
   * @param text why
   * @param statement what to do; empty where that needs thought
   */
  record Hint(String text, String statement) {}

  List<Hint> all() {
    FileTally files = facts.files();
    List<Hint> hints = new ArrayList<>();
    if (files.staged().files() > 0) {
      hints.add(
          new Hint(
              Quantities.count(files.staged().rows(), "row")
                  + " wait in the postpone bucket: other engines do not see them.",
              compact()));
    } else if (isWorthCompacting()) {
      hints.add(new Hint(reason(), compact()));
    }
    if (isSkewed()) {
      BucketSize largest = files.largest().get(0);
      hints.add(
          new Hint(
              largest.label()
                  + " is "
                  + Math.round(largest.sum().bytes() / mean())
                  + " times as large as the mean: one task has to write it. docs/buckets.md says"
                  + " what more buckets, or another bucket key, would change.",
              ""));
    }
    if (facts.history().count() > MANY_SNAPSHOTS) {
      hints.add(
          new Hint(
              Quantities.count(facts.history().count()) + " snapshots are kept.",
              "CALL " + catalog() + ".sys.expire_snapshots(table => " + table() + ")"));
    }
    return List.copyOf(hints);
  }

  private boolean isWorthCompacting() {
    FileTally files = facts.files();
    long mayJoin = facts.full().rewritten().files();
    return mayJoin > 1
        && (files.runsPerBucket() > MANY_RUNS
            || files.total().deletedShare() > MUCH_DELETED
            || (mayJoin > 2 * files.buckets()
                && files.small().files() > MANY_SMALL * files.total().files()));
  }

  private String reason() {
    FileTally files = facts.files();
    Sum work = facts.full().rewritten();
    String runs =
        files.mostRuns() == 0 ? "" : ", up to " + files.mostRuns() + " sorted runs in a bucket";
    return Quantities.percent(files.total().deletedShare())
        + " of the stored rows are deleted or delete others, "
        + Quantities.count(files.small().files())
        + " of "
        + Quantities.count(files.total().files(), "file")
        + " are small"
        + runs
        + ". A full compaction would rewrite "
        + Quantities.count(work.files(), "file")
        + ", "
        + Quantities.bytes(work.bytes())
        + ".";
  }

  private boolean isSkewed() {
    FileTally files = facts.files();
    return files.buckets() >= SOME_BUCKETS
        && files.largest().get(0).sum().bytes() > files.smallBytes()
        && files.largest().get(0).sum().bytes() > SKEW * mean();
  }

  private double mean() {
    return Math.max(1, (double) facts.files().total().bytes() / facts.files().buckets());
  }

  private String compact() {
    return "CALL " + catalog() + ".sys.compact(table => " + table() + ")";
  }

  private String catalog() {
    String catalog = facts.name().catalog();
    return catalog.isEmpty() ? "lake" : quoted(catalog);
  }

  private String table() {
    List<String> parts = new ArrayList<>(facts.name().namespace());
    parts.add(facts.name().table());
    String name = String.join(".", parts.stream().map(Hints::quoted).toList());
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static String quoted(String part) {
    return part.matches("[A-Za-z_][A-Za-z0-9_]*") ? part : "`" + part.replace("`", "``") + "`";
  }
}
