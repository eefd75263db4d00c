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

import io.keylake.format.errors.Condition;
import io.keylake.format.errors.InvalidRequestException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which version of the table is read; at most one of the values is given.
 *
 * @param snapshotId this snapshot
 * @param tag this tag
 * @param version the tag of this name, or else the snapshot of this id
 * @param timestampMillis the newest snapshot not younger than this, milliseconds since the epoch
 * @param timestamp likewise, as local date and time
 */
public record TimeTravelOptions(
    @Nullable Long snapshotId,
    @Nullable String tag,
    @Nullable String version,
    @Nullable Long timestampMillis,
    @Nullable String timestamp)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final List<OptionKey<?>> CHOICES =
      List.of(
          ScanKeys.SNAPSHOT_ID,
          ScanKeys.TAG_NAME,
          ScanKeys.VERSION,
          ScanKeys.TIMESTAMP_MILLIS,
          ScanKeys.TIMESTAMP);

  static TimeTravelOptions of(Map<String, String> values) {
    List<String> given = given(values);
    if (given.size() > 1) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The options "
              + given
              + " contradict each other: each chooses a version to read. Keep"
              + " one of them.");
    }
    checkMode(values, given);
    return new TimeTravelOptions(
        ScanKeys.SNAPSHOT_ID.find(values).orElse(null),
        ScanKeys.TAG_NAME.find(values).orElse(null),
        ScanKeys.VERSION.find(values).orElse(null),
        ScanKeys.TIMESTAMP_MILLIS.find(values).orElse(null),
        ScanKeys.TIMESTAMP.find(values).orElse(null));
  }

  /** The names of the options among {@code values} that choose a version. */
  public static List<String> given(Map<String, String> values) {
    return CHOICES.stream().filter(key -> key.isSet(values)).map(OptionKey::name).toList();
  }

  /** Whether the newest version is read. */
  public boolean isLatest() {
    return snapshotId == null
        && tag == null
        && version == null
        && timestampMillis == null
        && timestamp == null;
  }

  private static void checkMode(Map<String, String> values, List<String> given) {
    ScanKeys.Mode mode = ScanKeys.MODE.read(values);
    List<String> needed =
        switch (mode) {
          case DEFAULT,
              COMPACTED_FULL,
              FROM_CREATION_TIMESTAMP,
              FROM_FILE_CREATION_TIME,
              INCREMENTAL ->
              given;
          case LATEST_FULL, FULL, LATEST -> List.of();
          case FROM_TIMESTAMP ->
              List.of(ScanKeys.TIMESTAMP_MILLIS.name(), ScanKeys.TIMESTAMP.name());
          case FROM_SNAPSHOT, FROM_SNAPSHOT_FULL ->
              List.of(
                  ScanKeys.SNAPSHOT_ID.name(), ScanKeys.TAG_NAME.name(), ScanKeys.VERSION.name());
        };
    if (!needed.containsAll(given)) {
      throw new InvalidRequestException(
          Condition.KEYLAKE_INVALID_OPTION,
          "The option '"
              + ScanKeys.MODE.name()
              + "' = '"
              + OptionType.spell(mode)
              + "' contradicts "
              + given
              + ". Remove one of them.");
    }
  }
}
