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

package io.keylake.table.compaction;

import java.io.Serializable;

/**
 * Which rows are too old to be kept by a compaction.
 *
 * @param column the column that holds a row's time; a row without a time never expires
 * @param cutoffMillis rows whose time, in milliseconds since 1970 UTC, is below this have expired
 */
public record RecordExpiry(String column, long cutoffMillis) implements Serializable {
  private static final long serialVersionUID = 1L;
}
