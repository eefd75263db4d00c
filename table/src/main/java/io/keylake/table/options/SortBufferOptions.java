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
 * The memory in which a write task sorts.
 *
 * @param bufferBytes size at which rows are spilled
 */
public record SortBufferOptions(long bufferBytes) implements Serializable {
  private static final long serialVersionUID = 1L;

  static SortBufferOptions of(Map<String, String> values) {
    return new SortBufferOptions(EngineKeys.WRITE_BUFFER_SIZE.read(values).bytes());
  }
}
