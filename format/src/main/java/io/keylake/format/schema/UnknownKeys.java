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

package io.keylake.format.schema;

import java.io.Serializable;
import java.util.Map;

/**
 * The JSON keys of a file that this version does not know, kept so that rewriting the file does not
 * lose them.
 *
 * @param json each key with the compact JSON text of its value
 */
public record UnknownKeys(Map<String, String> json) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** No unknown keys. */
  public static final UnknownKeys NONE = new UnknownKeys(Map.of());

  /** Copies the map. */
  public UnknownKeys {
    json = Map.copyOf(json);
  }
}
