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

package io.keylake.spark;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.errors.UnsupportedTableException;
import io.keylake.spark.conf.ReadConf;
import io.keylake.spark.conf.SessionOptions;
import io.keylake.spark.convert.SparkTypes;
import io.keylake.spark.read.changes.ChangeExtent;
import io.keylake.spark.read.changes.ChangeForm;
import io.keylake.spark.read.changes.ChangeScan;
import io.keylake.spark.read.changes.ChangeScanBuilder;
import io.keylake.spark.read.changes.ChangeTarget;
import io.keylake.spark.read.changes.IncrementalExtent;
import io.keylake.spark.read.changes.KeylakeChangelog;
import io.keylake.spark.read.changes.StateExtent;
import io.keylake.spark.read.changes.VersionExtent;
import io.keylake.spark.stream.StreamTarget;
import io.keylake.spark.stream.StreamView;
import io.keylake.spark.stream.TableStream;
import io.keylake.table.changes.IncrementalOptions;
import io.keylake.table.options.ScanKeys;
import io.keylake.table.options.TableOptions;
import io.keylake.table.options.support.ReadSupport;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.ChangelogContextUtils;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Which changes of a table options, or Spark's {@code CHANGES}, ask for. */
final class TableChanges {
  /** The option by which readers of other tables ask for changes. */
  static final String READ_CHANGE_FEED = "readChangeFeed";

  private final KeylakeTable table;
  private final TableVersion version;

  TableChanges(KeylakeTable table) {
    this.table = table;
    this.version = table.pinned();
  }

  /** Whether options ask for changes instead of rows. */
  static boolean isChangeFeed(CaseInsensitiveStringMap options) {
    return options.getBoolean(READ_CHANGE_FEED, false);
  }

  /** Refuses a read of changes where the columns are those of rows. */
  void checkPlainColumns(CaseInsensitiveStringMap options) {
    boolean isFeed = isChangeFeed(options);
    if (isFeed || KeylakeTable.asksForChangelog(options)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_REQUEST,
          "The option '"
              + (isFeed ? READ_CHANGE_FEED : ScanKeys.READ_CHANGELOG.name())
              + "' of the read of "
              + version.name().text()
              + " adds columns, which a table of a catalog can do only in a session with"
              + " spark.sql.extensions=io.keylake.extensions.KeylakeExtensions, and frames only"
              + " where Spark's own catalog is not Hive's"
              + " (spark.sql.catalogImplementation=in-memory). Set it, or"
              + (isFeed
                  ? " use spark.read.changes(...) with the same options, or CHANGES in SQL."
                  : " read `" + version.name().table() + "$audit_log`."));
    }
  }

  /** Whether the options that hold choose a part of the history. */
  boolean isIncremental(CaseInsensitiveStringMap options) {
    return incremental(options).isPresent();
  }

  private Optional<IncrementalOptions> incremental(CaseInsensitiveStringMap options) {
    return IncrementalOptions.of(table.effectiveOptions(options));
  }

  /** The columns of changes in a form. */
  Column[] columns(ChangeForm form) {
    Map<String, String> session =
        SessionOptions.overrides(version.name(), CaseInsensitiveStringMap.empty());
    return form.columns(
        SparkTypes.toColumns(version.schema().fields()),
        TableOptions.of(version.schema(), session));
  }

  /** A read of the changes that options choose. */
  ScanBuilder scan(ChangeForm form, CaseInsensitiveStringMap options) {
    StreamView.Kind kind =
        switch (form) {
          case ROWS, AUDIT -> StreamView.Kind.CHANGELOG;
          case BINLOG -> StreamView.Kind.PAIRS;
          case CHANGES -> StreamView.Kind.CHANGES;
        };
    return new ChangeScanBuilder(target(form, extent(form, options), options, kind), columns(form));
  }

  private ChangeExtent extent(ChangeForm form, CaseInsensitiveStringMap options) {
    String zone = SQLConf.get().sessionLocalTimeZone();
    if (form == ChangeForm.CHANGES) {
      return new VersionExtent(ChangelogContextUtils.fromOptions(options, zone).range());
    }
    return incremental(options)
        .<ChangeExtent>map(
            chosen -> new IncrementalExtent(chosen, ZoneId.of(zone, ZoneId.SHORT_IDS)))
        .orElseGet(StateExtent::new);
  }

  /** The changes that Spark's {@code CHANGES} asks for. */
  Changelog changelog(ChangelogContext context, CaseInsensitiveStringMap options) {
    return new KeylakeChangelog(
        target(
            ChangeForm.CHANGES,
            new VersionExtent(context.range()),
            options,
            context.deduplicationMode() == ChangelogContext.DeduplicationMode.NET_CHANGES
                ? StreamView.Kind.WHOLE_CHANGES
                : StreamView.Kind.CHANGES),
        context);
  }

  private ChangeTarget target(
      ChangeForm form,
      ChangeExtent extent,
      CaseInsensitiveStringMap options,
      StreamView.Kind kind) {
    ReadSupport.check(version.schema(), version.name().text());
    ReadConf conf = ReadConf.of(version.name(), version.schema(), options);
    return new ChangeTarget(
        version.name(),
        version.storage(),
        version.schema(),
        version.snapshot(),
        conf,
        extent,
        form,
        (scan, checkpoint) -> stream(scan, checkpoint, options, kind));
  }

  private MicroBatchStream stream(
      ChangeScan scan, String checkpoint, CaseInsensitiveStringMap options, StreamView.Kind kind) {
    ChangeTarget target = scan.target();
    if (target.form() == ChangeForm.ROWS) {
      throw new UnsupportedTableException(
          Condition.KEYLAKE_UNSUPPORTED_OPTION,
          "A stream of "
              + version.name().text()
              + " cannot end: the options 'incremental-between', 'incremental-between-timestamp'"
              + " and 'incremental-to-auto-tag' are those of batches. Remove them, and start the"
              + " stream with 'scan.snapshot-id' or 'scan.timestamp-millis'.");
    }
    Optional<StreamView.Range> range =
        target.extent() instanceof VersionExtent extent
            ? StreamRanges.of(extent.range(), target.storage())
            : Optional.empty();
    StreamView view = new StreamView(kind, target.form().meta(), range);
    TableVersion seen = new OptionVersions(version).onBranch(target.conf().options().asMap());
    return new TableStream(
        StreamTarget.of(seen.name(), seen.storage(), seen.schema(), options, view),
        scan.readSchema(),
        checkpoint,
        Clock.systemUTC());
  }
}
