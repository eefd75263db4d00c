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

package io.keylake.spark.stream;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.conf.TableName;
import io.keylake.spark.stream.StreamView.Kind;
import io.keylake.table.options.MemorySize;
import io.keylake.table.options.MergeOptions;
import io.keylake.table.options.MergeOptions.ChangelogProducer;
import io.keylake.table.options.OptionKey;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.ScanKeys.OnExpired;
import io.keylake.table.options.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The options of a stream beyond where it starts, and which options a stream has at all. */
final class StreamOptions {
  private static final long DEFAULT_DELAY_MILLIS = Duration.ofMinutes(15).toMillis();

  private static final List<OptionKey<?>> OF_ALL =
      List.of(
          ScanKeys.SPLIT_TARGET_SIZE,
          ScanKeys.SPLIT_OPEN_COST,
          ScanKeys.FILE_INDEX_READ,
          ScanKeys.MANIFEST_PARALLELISM,
          ScanKeys.READ_FILTER,
          ScanKeys.MAX_FILES,
          ScanKeys.MAX_BYTES,
          ScanKeys.MAX_ROWS,
          ScanKeys.MIN_ROWS,
          ScanKeys.MAX_DELAY,
          ScanKeys.FAIL_ON_DATA_LOSS,
          ScanKeys.ON_EXPIRED,
          ScanKeys.SORT_PARTITION,
          ScanKeys.CONSUMER_ID,
          ScanKeys.CONSUMER_IGNORE_PROGRESS,
          ScanKeys.CONSUMER_MODE,
          ScanKeys.MODE,
          ScanKeys.SNAPSHOT_ID,
          ScanKeys.TAG_NAME,
          ScanKeys.VERSION,
          ScanKeys.TIMESTAMP_MILLIS,
          ScanKeys.TIMESTAMP,
          ScanKeys.FILE_CREATION_TIME);
  private static final List<OptionKey<?>> OF_CHANGELOG =
      List.of(
          ScanKeys.STARTING_VERSION,
          ScanKeys.STARTING_TIMESTAMP,
          ScanKeys.READ_CHANGELOG,
          ScanKeys.STREAM_OVERWRITE,
          ScanKeys.STREAM_APPEND_OVERWRITE);
  private static final List<OptionKey<?>> OF_ROWS =
      List.of(ScanKeys.IGNORE_DELETES, ScanKeys.SKIP_CHANGE_COMMITS);

  /** What Spark and the catalog take from the options. */
  private static final Set<String> OF_SPARK =
      Set.of("path", "branch", "table-read.sequence-number.enabled");

  /** What Spark takes from the options of a stream of changes. */
  private static final Set<String> OF_SPARK_CHANGES =
      Set.of(
          "startingversion",
          "startingtimestamp",
          "startingboundinclusive",
          "endingversion",
          "endingtimestamp",
          "endingboundinclusive",
          "deduplicationmode",
          "computeupdates",
          "readchangefeed");

  private final TableOptions options;
  private final Map<String, String> values;
  private final String table;

  StreamOptions(StreamTarget target) {
    this.options = target.options();
    this.values = options.asMap();
    this.table = target.name().text();
    checkTogether(target.view(), target.schema().hasPrimaryKey());
  }

  /**
   * Checks that each option of a stream's own has a meaning.
   *
   * @throws UnsupportedTableException naming the one that has none
   */
  static void check(TableName table, CaseInsensitiveStringMap statement, StreamView view) {
    for (String name : statement.asCaseSensitiveMap().keySet()) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (OF_SPARK.contains(lower) || (view.isExact() && OF_SPARK_CHANGES.contains(lower))) {
        continue;
      }
      Optional<OptionKey<?>> key =
          keys(view).stream()
              .filter(
                  known ->
                      known.name().equals(name)
                          || known.name().equals(lower)
                          || known.fallbackKeys().contains(name))
              .findFirst();
      if (key.isEmpty()) {
        throw meaningless(table, name);
      }
      key.get().parse(statement.asCaseSensitiveMap().get(name));
    }
  }

  private static List<OptionKey<?>> keys(StreamView view) {
    List<OptionKey<?>> keys = new ArrayList<>(OF_ALL);
    if (!view.isExact()) {
      keys.addAll(OF_CHANGELOG);
    }
    if (view.kind() == Kind.ROWS) {
      keys.addAll(OF_ROWS);
    }
    if (view.kind() == Kind.PAIRS) {
      keys.remove(ScanKeys.READ_FILTER);
    }
    return keys;
  }

  private static UnsupportedTableException meaningless(TableName table, String option) {
    return new UnsupportedTableException(
        Condition.KEYLAKE_UNSUPPORTED_OPTION,
        "The option '"
            + option
            + "' means nothing to this stream of "
            + table.text()
            + ", it would be ignored. Remove it, or check how it is spelled.");
  }

  private void checkTogether(StreamView view, boolean isKeyed) {
    ChangelogProducer producer = options.merge().changelogProducer();
    boolean hasOverwrites = isKeyed && ScanKeys.STREAM_OVERWRITE.read(values);
    if (hasOverwrites
        && !view.isExact()
        && (producer == ChangelogProducer.LOOKUP
            || producer == ChangelogProducer.FULL_COMPACTION)) {
      throw contradiction(
          ScanKeys.STREAM_OVERWRITE.name(),
          "the table's 'changelog-producer' = 'lookup' or 'full-compaction', whose changelog tells"
              + " what compaction finds and knows nothing of overwrites. Read the stream with"
              + " .changes(), which has them.");
    }
    boolean skips = view.kind() == Kind.ROWS && ScanKeys.SKIP_CHANGE_COMMITS.read(values);
    if (skips && isKeyed && isComputed()) {
      throw contradiction(
          ScanKeys.SKIP_CHANGE_COMMITS.name(),
          "the table's 'merge-engine' without a changelog, since nothing tells which commits"
              + " update. Set 'changelog-producer', or use "
              + ScanKeys.IGNORE_DELETES.name()
              + ".");
    }
    if (ScanKeys.FAIL_ON_DATA_LOSS.isSet(values)
        && ScanKeys.ON_EXPIRED.isSet(values)
        && ScanKeys.FAIL_ON_DATA_LOSS.read(values)
            != (ScanKeys.ON_EXPIRED.read(values) == OnExpired.ERROR)) {
      throw contradiction(
          ScanKeys.FAIL_ON_DATA_LOSS.name(), "'" + ScanKeys.ON_EXPIRED.name() + "'. Keep one.");
    }
  }

  private InvalidRequestException contradiction(String option, String what) {
    return new InvalidRequestException(
        Condition.KEYLAKE_INVALID_OPTION,
        "The option '" + option + "' of the stream of " + table + " contradicts " + what);
  }

  /** Whether rows that a commit stored may be parts of the rows that users see. */
  boolean isComputed() {
    MergeOptions merge = options.merge();
    return merge.changelogProducer() == ChangelogProducer.NONE
        && switch (merge.engine()) {
          case DEDUPLICATE -> false;
          case FIRST_ROW, PARTIAL_UPDATE, AGGREGATION -> true;
        };
  }

  /** How much a trigger reads. */
  ReadLimit limit() {
    List<ReadLimit> limits = new ArrayList<>();
    ScanKeys.MAX_FILES
        .find(values)
        .ifPresent(most -> limits.add(ReadLimit.maxFiles((int) Math.min(Integer.MAX_VALUE, most))));
    ScanKeys.MAX_BYTES
        .find(values)
        .map(MemorySize::bytes)
        .ifPresent(most -> limits.add(ReadLimit.maxBytes(most)));
    ScanKeys.MAX_ROWS.find(values).ifPresent(most -> limits.add(ReadLimit.maxRows(most)));
    Optional<Long> least = ScanKeys.MIN_ROWS.find(values);
    long delay = ScanKeys.MAX_DELAY.find(values).orElse(DEFAULT_DELAY_MILLIS);
    if (least.isPresent()) {
      limits.add(ReadLimit.minRows(least.get(), delay));
    } else if (ScanKeys.MAX_DELAY.isSet(values)) {
      throw contradiction(
          ScanKeys.MAX_DELAY.name(), "the lack of " + ScanKeys.MIN_ROWS.name() + ". Set that too.");
    }
    return limits.isEmpty()
        ? ReadLimit.allAvailable()
        : ReadLimit.compositeLimit(limits.toArray(ReadLimit[]::new));
  }

  /** What happens when snapshots that were not read have expired. */
  OnExpired onExpired() {
    return ScanKeys.FAIL_ON_DATA_LOSS.read(values)
        ? ScanKeys.ON_EXPIRED.read(values)
        : ScanKeys.ON_EXPIRED.isSet(values) ? ScanKeys.ON_EXPIRED.read(values) : OnExpired.EARLIEST;
  }

  /** The condition that rows fulfil, in SQL. */
  Optional<String> filter() {
    return ScanKeys.READ_FILTER.find(values);
  }

  /** The name under which the table keeps the progress of the query. */
  Optional<String> consumer() {
    return ScanKeys.CONSUMER_ID.find(values);
  }

  /** Whether a new query goes on where its consumer is. */
  boolean followsConsumer() {
    return !ScanKeys.CONSUMER_IGNORE_PROGRESS.read(values);
  }

  /** Whether commits that are known to delete or update are passed over. */
  boolean skipsChangeCommits() {
    return ScanKeys.SKIP_CHANGE_COMMITS.read(values);
  }

  /** Whether deletes are passed over. */
  boolean ignoresDeletes() {
    return ScanKeys.IGNORE_DELETES.read(values);
  }

  /** Whether what overwrites change is delivered. */
  boolean readsOverwrites(boolean isKeyed) {
    return (isKeyed ? ScanKeys.STREAM_OVERWRITE : ScanKeys.STREAM_APPEND_OVERWRITE).read(values);
  }
}
