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

package io.keylake.format.layout;

import java.time.ZoneId;

/**
 * How partition values become folder names.
 *
 * @param defaultName the folder of NULL and blank values ({@code partition.default-name})
 * @param style the text of dates and times ({@code partition.legacy-name})
 * @param zone the zone in which {@link Style#READABLE} shows TIMESTAMP_LTZ values
 */
public record PartitionNaming(String defaultName, Style style, ZoneId zone) {
  /** The folder of NULL when the table does not say otherwise. */
  public static final String DEFAULT_NAME = "__DEFAULT_PARTITION__";

  /** The text of dates and times. */
  public enum Style {
    /** DATE as a day number, TIME as milliseconds, timestamps in ISO form. The default. */
    LEGACY,
    /** As SQL casts them to text. */
    READABLE
  }

  /** What a table has when it sets no option. */
  public static PartitionNaming standard(ZoneId zone) {
    return new PartitionNaming(DEFAULT_NAME, Style.LEGACY, zone);
  }
}
