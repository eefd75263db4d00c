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

package io.keylake.table.reference;

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which tags a table makes by itself.
 *
 * @param creation when
 * @param periods the periods that tags are named after
 * @param delay how long after the end of a period its tag is made
 * @param retained how long such a tag is kept; null = until it is removed
 * @param maxRetained how many of them are kept; null = all
 * @param completes whether periods in which nothing was committed get their tag later
 * @param marksSuccess whether a marker file is written beside each tag
 * @param batchName the name of the tag after batch jobs; null = by the day
 * @param processZone the zone of commit times; null = that of the clock
 * @param watermarkZone the zone of watermarks
 */
public record TagOptions(
    Creation creation,
    TagPeriods periods,
    Duration delay,
    @Nullable Duration retained,
    @Nullable Integer maxRetained,
    boolean completes,
    boolean marksSuccess,
    @Nullable String batchName,
    @Nullable ZoneId processZone,
    ZoneId watermarkZone) {
  /** When tags are made without being asked for. */
  public enum Creation {
    NONE("none"),
    /** At the first commit after the end of a period, by the time of commits. */
    PROCESS_TIME("process-time"),
    /** At the first commit whose watermark has reached the end of a period. */
    WATERMARK("watermark"),
    /** After each batch job. */
    BATCH("batch");

    private final String text;

    Creation(String text) {
      this.text = text;
    }

    /** The one that is spelled so. */
    public static Creation of(String text) {
      for (Creation creation : values()) {
        if (creation.text.equals(text)) {
          return creation;
        }
      }
      throw new IllegalArgumentException("Not a kind of tag creation: " + text);
    }

    /** How it is spelled. */
    public String text() {
      return text;
    }
  }

  /** The options of a table. */
  public static TagOptions of(TableOptions options) {
    Map<String, String> values = options.asMap();
    Duration period = CommitKeys.TAG_PERIOD_DURATION.find(values).orElse(null);
    return new TagOptions(
        Creation.of(CommitKeys.TAG_AUTOMATIC_CREATION.read(values)),
        period == null
            ? TagPeriods.of(
                CommitKeys.TAG_PERIOD.read(values), CommitKeys.TAG_PERIOD_FORMATTER.read(values))
            : TagPeriods.every(period),
        CommitKeys.TAG_DELAY.read(values),
        options.retention().tagRetained(),
        CommitKeys.TAG_MAX_RETAINED.find(values).orElse(null),
        CommitKeys.TAG_AUTOMATIC_COMPLETION.read(values),
        CommitKeys.TAG_SUCCESS_FILE.read(values),
        CommitKeys.TAG_BATCH_NAME.find(values).orElse(null),
        CommitKeys.TAG_PROCESS_ZONE
            .find(values)
            .map(zone -> zone(CommitKeys.TAG_PROCESS_ZONE.name(), zone))
            .orElse(null),
        zone(CommitKeys.TAG_WATERMARK_ZONE.name(), CommitKeys.TAG_WATERMARK_ZONE.read(values)));
  }

  private static ZoneId zone(String option, String text) {
    try {
      return ZoneId.of(text.strip(), ZoneId.SHORT_IDS);
    } catch (DateTimeException e) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "Invalid value '"
              + text
              + "' of option '"
              + option
              + "'. Allowed: the name of a time zone, such as UTC or Europe/Berlin.",
          e);
    }
  }
}
