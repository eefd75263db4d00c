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

package io.keylake.table.options;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When the buckets of a table are compacted, and how.
 *
 * @param writeOnly whether writers never compact
 * @param trigger number of sorted runs from which a bucket is compacted
 * @param levels number of levels; the top one is {@code levels} - 1
 * @param ratios how sizes of runs are compared
 * @param fullness when everything is compacted
 * @param forcesLevelZero whether all files of level 0 are taken at every chance
 * @param levelZero what tables with deletion vectors do with level 0 at each write
 * @param smallFiles which files are too small
 * @param expiry which rows are too old
 */
public record CompactionOptions(
    boolean writeOnly,
    int trigger,
    int levels,
    Ratios ratios,
    Fullness fullness,
    boolean forcesLevelZero,
    LevelZero levelZero,
    SmallFiles smallFiles,
    Expiry expiry)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What a write to a table with deletion vectors does with level 0. */
  public enum LevelZero {
    /** Compacts all of it. */
    RADICAL,
    /** Leaves it to the rules that hold for every table. */
    GENTLE
  }

  /**
   * How sizes of runs are compared.
   *
   * @param maxAmplificationPercent size of the newer runs, in percent of the oldest, above which
   *     all are compacted
   * @param sizePercent percent by which the next run may be larger than the newer ones together
   * @param offPeakStartHour first hour in which {@code offPeakPercent} is added; -1 = never
   * @param offPeakEndHour first hour after those; -1 = never
   * @param offPeakPercent what is added
   */
  public record Ratios(
      int maxAmplificationPercent,
      int sizePercent,
      int offPeakStartHour,
      int offPeakEndHour,
      int offPeakPercent)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The percent by which the next run may be larger, at this hour of the day. */
    public int sizePercentAt(int hour) {
      return isOffPeak(hour) ? sizePercent + offPeakPercent : sizePercent;
    }

    private boolean isOffPeak(int hour) {
      if (offPeakStartHour < 0 || offPeakEndHour < 0) {
        return false;
      }
      return offPeakStartHour <= offPeakEndHour
          ? hour >= offPeakStartHour && hour < offPeakEndHour
          : hour >= offPeakStartHour || hour < offPeakEndHour;
    }
  }

  /**
   * When everything is compacted.
   *
   * @param deltaCommits number of commits after which a stream compacts the buckets it writes
   *     fully; a batch write then always does; null = that is not asked for
   * @param startsFull whether a writer starts with a full compaction of buckets of several runs
   * @param totalBytesThreshold size of a bucket below which it is compacted fully; null = none
   * @param incrementalBytesThreshold size below the top level above which a bucket is compacted
   *     fully; null = none
   * @param rewritesAllFiles whether files that are on the top level already are rewritten, too
   */
  public record Fullness(
      @Nullable Integer deltaCommits,
      boolean startsFull,
      @Nullable Long totalBytesThreshold,
      @Nullable Long incrementalBytesThreshold,
      boolean rewritesAllFiles)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Whether every batch write compacts the buckets it wrote fully. */
    public boolean afterEveryWrite() {
      return deltaCommits != null;
    }

    /**
     * Whether the commit of a stream compacts the buckets it wrote fully.
     *
     * @param identifier its number, counted from 0
     */
    public boolean afterCommit(long identifier) {
      return deltaCommits != null && (identifier + 1) % deltaCommits == 0;
    }
  }

  /**
   * Which files are too small.
   *
   * @param ratio share of the target size below which a file is small
   * @param minFiles append tables: smallest number of files that are put together
   * @param maxFiles append tables without buckets: largest number of files of a partition that one
   *     compaction takes
   * @param deleteRatio append tables: share of deleted rows above which a file is rewritten
   */
  public record SmallFiles(double ratio, int minFiles, int maxFiles, double deleteRatio)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Size below which a file is small. */
    public long bytes(long targetFileBytes) {
      return (long) (targetFileBytes * ratio);
    }
  }

  /**
   * Which rows are too old.
   *
   * @param time age from which a row is dropped by compactions; null = never
   * @param timeField column with the time of a row; null = none
   */
  public record Expiry(@Nullable Duration time, @Nullable String timeField)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  static CompactionOptions of(Map<String, String> values) {
    int trigger = CompactionKeys.TRIGGER.read(values);
    return new CompactionOptions(
        CompactionKeys.WRITE_ONLY.read(values),
        trigger,
        CompactionKeys.LEVELS.find(values).orElse(trigger + 1),
        ratios(values),
        fullness(values),
        CompactionKeys.FORCE_UP_LEVEL_0.read(values),
        levelZero(values, trigger),
        new SmallFiles(
            CompactionKeys.SMALL_FILE_RATIO.read(values),
            CompactionKeys.MIN_FILE_NUM.read(values),
            CompactionKeys.FILE_NUM_LIMIT.read(values),
            CompactionKeys.DELETE_RATIO_THRESHOLD.read(values)),
        new Expiry(
            CompactionKeys.EXPIRE_TIME.find(values).orElse(null),
            CompactionKeys.TIME_FIELD.find(values).orElse(null)));
  }

  private static Ratios ratios(Map<String, String> values) {
    return new Ratios(
        CompactionKeys.MAX_SIZE_AMPLIFICATION.read(values),
        CompactionKeys.SIZE_RATIO.read(values),
        CompactionKeys.OFF_PEAK_START.read(values),
        CompactionKeys.OFF_PEAK_END.read(values),
        CompactionKeys.OFF_PEAK_RATIO.read(values));
  }

  private static Fullness fullness(Map<String, String> values) {
    return new Fullness(
        CompactionKeys.FULL_DELTA_COMMITS.find(values).orElse(null),
        CompactionKeys.OPTIMIZATION_INTERVAL.find(values).isPresent(),
        CompactionKeys.TOTAL_SIZE_THRESHOLD.find(values).map(MemorySize::bytes).orElse(null),
        CompactionKeys.INCREMENTAL_SIZE_THRESHOLD.find(values).map(MemorySize::bytes).orElse(null),
        CompactionKeys.FORCE_REWRITE.read(values));
  }

  /** A batch writer has one chance, so only an interval of 1 makes gentle as radical. */
  private static LevelZero levelZero(Map<String, String> values, int trigger) {
    int interval = CompactionKeys.LOOKUP_MAX_INTERVAL.find(values).orElse(2 * trigger);
    return interval == 1 ? LevelZero.RADICAL : CompactionKeys.LOOKUP_COMPACT.read(values);
  }
}
