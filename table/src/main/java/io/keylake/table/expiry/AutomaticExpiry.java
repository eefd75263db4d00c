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

package io.keylake.table.expiry;

import io.keylake.format.errors.TableException;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.table.options.RetentionOptions;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The expiry that follows a commit, as the options of the table say: partitions, idle consumers,
 * tags, snapshots, changelogs. It never fails what was committed: a failure is a warning, and the
 * next commit tries again. It removes no more than {@code snapshot.expire.limit} snapshots and as
 * many changelogs. A table with no more snapshots than are always retained costs one listing, of
 * its tags.
 *
 * <p>Rule source: table format, expiration. Pinned by {@code AutomaticExpiryTest}.
 */
public final class AutomaticExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(AutomaticExpiry.class);

  /** When this process looked at the partitions of a table last, by the branch's address. */
  private static final Map<String, Instant> PARTITION_CHECKS = new ConcurrentHashMap<>();

  private final HistoryTable table;
  private final TableStorage storage;
  private final Clock clock;

  /** Drops partitions by a commit. */
  @FunctionalInterface
  public interface PartitionDrop {
    /** Drops these partitions. */
    void drop(List<BinaryRow> partitions);
  }

  /** The expiry of a table's branch, by the time of {@code clock}. */
  public AutomaticExpiry(HistoryTable table, Clock clock) {
    this.table = table;
    this.storage = table.storage();
    this.clock = clock;
  }

  /**
   * Does what is due.
   *
   * @param newest the id of the newest snapshot that was committed
   */
  public void run(long newest, PartitionDrop partitions) {
    if (table.options().compaction().writeOnly()) {
      return;
    }
    ExpiryRules rules = ExpiryRules.of(table.options());
    attempt("partitions", () -> dropPartitions(rules, partitions));
    attempt("consumers", () -> forgetConsumers(rules));
    attempt("tags", () -> removeTags(rules));
    attempt("snapshots", () -> expireHistory(newest));
  }

  private void attempt(String what, Runnable work) {
    try {
      work.run();
    } catch (TableException | UncheckedIOException | CancellationException e) {
      LOG.warn(
          "The {} of {} were not expired after a commit; the next one tries again: {}",
          what,
          storage.name(),
          e.getMessage());
    }
  }

  private LocalDateTime now() {
    return LocalDateTime.now(clock.withZone(ZoneId.systemDefault()));
  }

  private void dropPartitions(ExpiryRules rules, PartitionDrop partitions) {
    Duration kept = rules.partitionsKept();
    if (kept == null || table.schema().partitionKeys().isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    String address = storage.layout().branchFolder().path();
    Instant last = PARTITION_CHECKS.get(address);
    if (last != null && now.isBefore(last.plus(rules.partitionCheckInterval()))) {
      return;
    }
    PARTITION_CHECKS.put(address, now);
    PartitionExpiry.Rules expiry = PartitionExpiry.Rules.of(table.options().asMap(), kept);
    List<BinaryRow> expired = new PartitionExpiry(table, expiry).expired(now());
    if (!expired.isEmpty()) {
      partitions.drop(expired);
    }
  }

  private void forgetConsumers(ExpiryRules rules) {
    ConsumerExpiry consumers = new ConsumerExpiry(storage);
    Instant now = clock.instant();
    List<String> forgotten = new ArrayList<>(consumers.runForQueries(now));
    Duration kept = rules.consumersKept();
    if (kept != null) {
      forgotten.addAll(consumers.run(now.minus(kept)));
    }
    if (!forgotten.isEmpty()) {
      LOG.info("Idle consumers of {} were forgotten: {}", storage.name(), forgotten);
    }
  }

  private void removeTags(ExpiryRules rules) {
    if (rules.expiresTags()) {
      TagExpiry tags = new TagExpiry(storage);
      tags.remove(tags.expired(now(), null));
    }
  }

  private void expireHistory(long newest) {
    RetentionOptions retention = table.options().retention();
    if (newest <= retention.snapshots().min()) {
      return;
    }
    long limit = retention.expireLimit();
    Instant now = clock.instant();
    Expired snapshots =
        new SnapshotExpiry(table).run(ExpiryRequest.of(retention.snapshots(), now, limit));
    if (snapshots.versions() > 0) {
      LOG.info(
          "{} snapshots of {} expired, with {} files",
          snapshots.versions(),
          storage.name(),
          snapshots.files().deleted());
    }
    if (retention.decouplesChangelogs()) {
      Expired unused =
          new ChangelogExpiry(table).run(ExpiryRequest.of(retention.changelogs(), now, limit));
    }
  }
}
