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

import io.keylake.format.datafile.DataFile;
import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.TableStorage;
import io.keylake.format.types.RowType;
import io.keylake.table.options.CommitKeys;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions have lived long enough. Dropping them is a commit of the caller's.
 *
 * <ol>
 *   <li>{@code values-time}: the time that the partition's values stand for, see {@link
 *       PartitionTime}, is longer ago than partitions live.
 *   <li>{@code update-time}: so is the creation of its newest file.
 *   <li>The oldest ones first, at most so many at once. A partition without a time stays.
 * </ol>
 *
 * <p>Times are local ones. Needs memory for one number per partition. Rule source: table format,
 * partition expiration. Pinned by {@code PartitionExpiryTest}.
 */
public final class PartitionExpiry {
  private final HistoryTable table;
  private final Rules rules;

  /** What a partition's age is taken from. */
  public enum Strategy {
    VALUES_TIME,
    UPDATE_TIME;

    /**
     * The strategy of this name.
     *
     * @throws InvalidRequestException KEYLAKE_INVALID_OPTION when there is none
     */
    public static Strategy named(String name) {
      return switch (name.strip()) {
        case "values-time" -> VALUES_TIME;
        case "update-time" -> UPDATE_TIME;
        default ->
            throw new InvalidRequestException(
                Condition.KEYLAKE_INVALID_OPTION,
                "Invalid value '"
                    + name
                    + "' of option 'partition.expiration-strategy'. Allowed: values-time,"
                    + " update-time.");
      };
    }
  }

  /**
   * How partitions expire.
   *
   * @param kept how long partitions live
   * @param strategy what their age is taken from
   * @param pattern makes the text of a time from a partition's values; null = the first value
   * @param formatter parses that text; null = the usual form
   * @param most how many expire at once
   */
  public record Rules(
      Duration kept,
      Strategy strategy,
      @Nullable String pattern,
      @Nullable String formatter,
      int most) {
    /** The rules that options give, with {@code kept} as their own or the statement's time. */
    public static Rules of(Map<String, String> options, Duration kept) {
      return new Rules(
          kept,
          Strategy.named(CommitKeys.PARTITION_STRATEGY.read(options)),
          CommitKeys.PARTITION_PATTERN.find(options).orElse(null),
          CommitKeys.PARTITION_FORMATTER.find(options).orElse(null),
          CommitKeys.PARTITION_EXPIRATION_MAX.read(options));
    }
  }

  /** The expiry of a table's partitions. */
  public PartitionExpiry(HistoryTable table, Rules rules) {
    this.table = table;
    this.rules = rules;
  }

  /**
   * The partitions of the newest snapshot that have lived long enough, the oldest first.
   *
   * @param now the local time
   */
  public List<BinaryRow> expired(LocalDateTime now) {
    TableStorage storage = table.storage();
    RowType type = table.schema().partitionType();
    Optional<Snapshot> snapshot = storage.snapshots().latest();
    if (type.size() == 0 || snapshot.isEmpty()) {
      return List.of();
    }
    LocalDateTime oldest = now.minus(rules.kept());
    Map<BinaryRow, LocalDateTime> expired = new LinkedHashMap<>();
    for (Map.Entry<BinaryRow, Live> partition : live(storage, snapshot.get()).entrySet()) {
      time(type, partition.getKey(), partition.getValue())
          .filter(time -> time.isBefore(oldest))
          .ifPresent(time -> expired.put(partition.getKey(), time));
    }
    return expired.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .limit(rules.most())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The partitions that have files in the newest snapshot, in the order of the manifests. */
  public static Set<BinaryRow> existing(TableStorage storage) {
    return storage
        .snapshots()
        .latest()
        .map(snapshot -> live(storage, snapshot).keySet())
        .orElse(Set.of());
  }

  private Optional<LocalDateTime> time(RowType type, BinaryRow partition, Live live) {
    return switch (rules.strategy()) {
      case VALUES_TIME -> PartitionTime.of(type, rules.pattern(), rules.formatter()).of(partition);
      case UPDATE_TIME -> live.newest();
    };
  }

  /** What is known of a partition's files. */
  private static final class Live {
    private long files;
    private long newestMillis = Long.MIN_VALUE;
    private boolean isUnknown;

    void add(DataFile file) {
      files++;
      Long created = file.creationTimeMillis();
      if (created == null) {
        isUnknown = true;
      } else {
        newestMillis = Math.max(newestMillis, created);
      }
    }

    Optional<LocalDateTime> newest() {
      return isUnknown || newestMillis == Long.MIN_VALUE
          ? Optional.empty()
          : Optional.of(
              LocalDateTime.ofEpochSecond(Math.floorDiv(newestMillis, 1000L), 0, ZoneOffset.UTC));
    }
  }

  private static Map<BinaryRow, Live> live(TableStorage storage, Snapshot snapshot) {
    Map<BinaryRow, Live> partitions = new LinkedHashMap<>();
    VersionNeeds.forEach(
        storage, storage.dataManifests(snapshot), entry -> count(partitions, entry));
    List<BinaryRow> empty = new ArrayList<>();
    partitions.forEach(
        (partition, live) -> {
          if (live.files <= 0) {
            empty.add(partition);
          }
        });
    empty.forEach(partitions::remove);
    return partitions;
  }

  /** A file that is gone may have been the newest: then the partition seems younger, and stays. */
  private static void count(Map<BinaryRow, Live> partitions, ManifestEntry entry) {
    Live live = partitions.computeIfAbsent(entry.partition(), partition -> new Live());
    if (entry.kind() == EntryKind.ADD) {
      live.add(entry.file());
    } else {
      live.files--;
    }
  }
}
