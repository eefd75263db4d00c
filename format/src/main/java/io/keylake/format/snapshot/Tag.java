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

package io.keylake.format.snapshot;

import java.io.Serializable;
import java.time.Duration;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A named version of a table that expiry keeps.
 *
 * @param name the tag's name
 * @param snapshot the version it names; its own snapshot file may be gone
 * @param createTime writer's local date-time; null when the tag was made without a retention
 * @param timeRetained how long the tag lives from its creation; null = for ever
 */
public record Tag(
    String name,
    Snapshot snapshot,
    @Nullable LocalDateTime createTime,
    @Nullable Duration timeRetained)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
