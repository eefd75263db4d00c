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
import java.util.Map;

/**
 * The levels of a bucket.
 *
 * @param trigger number of sorted runs from which a bucket is compacted
 * @param levels number of levels; the top one is {@code levels} - 1
 */
public record CompactionOptions(int trigger, int levels) implements Serializable {
  private static final long serialVersionUID = 1L;

  static CompactionOptions of(Map<String, String> values) {
    int trigger = EngineKeys.COMPACTION_TRIGGER.read(values);
    return new CompactionOptions(trigger, EngineKeys.LEVELS.find(values).orElse(trigger + 1));
  }
}
