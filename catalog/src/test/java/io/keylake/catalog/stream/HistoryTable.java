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

package io.keylake.catalog.stream;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A kind of table: who merges rows, who writes the changelog, and how rows find their buckets; with
 * options that a seed chooses.
 *
 * @param engine the merge engine, or none
 * @param producer the changelog producer
 * @param buckets the kind of buckets
 */
record HistoryTable(Engine engine, Producer producer, Buckets buckets) {
  private static final String VECTORS = "'deletion-vectors.enabled' = 'true'";
  private static final String ON_DELETE = ".remove-record-on-delete' = 'true'";

  /** Who merges rows; {@code APPEND} has no key. */
  enum Engine {
    DEDUPLICATE(List.of("", "'sequence.field' = 'v'", VECTORS, "'ignore-delete' = 'true'")),
    FIRST_ROW(List.of("")),
    PARTIAL_UPDATE(
        List.of("", "'partial-update" + ON_DELETE, "'fields.v.sequence-group' = 'w'", VECTORS)),
    AGGREGATION(
        List.of(
            "'fields.v.aggregate-function' = 'sum'",
            "'fields.v.aggregate-function' = 'sum', 'aggregation" + ON_DELETE,
            "'fields.v.aggregate-function' = 'max', 'fields.w.aggregate-function' = 'listagg',"
                + " 'fields.w.list-agg-delimiter' = '/'",
            "'fields.v.aggregate-function' = 'sum', " + VECTORS)),
    APPEND(List.of("", "", VECTORS));

    private final List<String> choices;

    Engine(List<String> choices) {
      this.choices = choices;
    }
  }

  /** Who writes the changelog. */
  enum Producer {
    NONE,
    INPUT,
    LOOKUP,
    FULL_COMPACTION
  }

  /** How rows find their buckets. */
  enum Buckets {
    FIXED("'bucket' = '2'"),
    DYNAMIC("'bucket' = '-1', 'dynamic-bucket.target-row-num' = '5'"),
    CROSS_PARTITION("'bucket' = '-1'"),
    POSTPONE("'bucket' = '-2', 'postpone.default-bucket-num' = '2'");

    private final String options;

    Buckets(String options) {
      this.options = options;
    }
  }

  /** Whether the format knows such a table. */
  boolean isAllowed() {
    return switch (engine) {
      case DEDUPLICATE, PARTIAL_UPDATE, AGGREGATION -> true;
      case FIRST_ROW -> producer == Producer.NONE || producer == Producer.LOOKUP;
      case APPEND ->
          producer == Producer.NONE && (buckets == Buckets.FIXED || buckets == Buckets.DYNAMIC);
    };
  }

  /** One of four parts of all kinds with a key, which together have each once; the others too. */
  boolean isOfQuarter(long number) {
    return !isKeyed()
        || (place(Engine.values(), engine)
                    + place(Producer.values(), producer)
                    + place(Buckets.values(), buckets)
                    + number)
                % 4
            == 0;
  }

  private static <T> int place(T[] all, T one) {
    return List.of(all).indexOf(one);
  }

  boolean isKeyed() {
    return engine != Engine.APPEND;
  }

  boolean movesKeys() {
    return buckets == Buckets.CROSS_PARTITION;
  }

  String name() {
    return (engine + "_" + producer + "_" + buckets).toLowerCase(Locale.ROOT);
  }

  /** A definition of such a table. */
  Definition define(Random random) {
    boolean isPartitioned = movesKeys() || random.nextInt(3) == 0;
    String engineOptions = pick(engine.choices, random);
    boolean isRefused =
        engineOptions.contains(VECTORS) && producer == Producer.FULL_COMPACTION
            || engineOptions.contains("sequence.field") && movesKeys();
    if (isRefused) {
      engineOptions = engine.choices.get(0);
    }
    String options =
        engineOptions.isEmpty() ? buckets.options : buckets.options + ", " + engineOptions;
    if (!isKeyed()) {
      options += buckets == Buckets.FIXED ? ", 'bucket-key' = 'k'" : "";
      return new Definition(
          this, isPartitioned, options.replace(", 'dynamic-bucket.target-row-num' = '5'", ""));
    }
    options +=
        ", 'primary-key' = '"
            + (isPartitioned && !movesKeys() ? "k,p" : "k")
            + "', 'merge-engine' = '"
            + lower(engine)
            + "', 'changelog-producer' = '"
            + lower(producer)
            + "'";
    options +=
        switch (producer) {
          case NONE, INPUT -> "";
          case LOOKUP ->
              pick(List.of("", ", 'changelog-producer.row-deduplicate' = 'true'"), random);
          case FULL_COMPACTION ->
              pick(
                  List.of(
                      "",
                      ", 'full-compaction.delta-commits' = '1'",
                      ", 'changelog-producer.row-deduplicate' = 'true'"),
                  random);
        };
    return new Definition(this, isPartitioned, options);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String pick(List<String> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }

  /**
   * A definition.
   *
   * @param kind of which kind
   * @param isPartitioned whether {@code p} is a partition column
   * @param options its properties
   */
  record Definition(HistoryTable kind, boolean isPartitioned, String options) {
    /** The statement that creates it. */
    String create(String table) {
      boolean isKeyPart = isPartitioned && kind.isKeyed() && !kind.movesKeys();
      return "CREATE TABLE "
          + table
          + " (k INT NOT NULL, p INT"
          + (isKeyPart ? " NOT NULL" : "")
          + ", v INT, w STRING)"
          + (isPartitioned ? " PARTITIONED BY (p)" : "")
          + " TBLPROPERTIES ("
          + options
          + ")";
    }

    /** Whether the later of two rows of a key is the one that stays, as it is. */
    boolean keepsLastRow() {
      return kind.engine() == Engine.DEDUPLICATE && !options.contains("sequence.field");
    }

    /** Whether the key is in the range of a partition, or moves between them. */
    boolean isKeyOfPartition() {
      return isPartitioned;
    }
  }
}
