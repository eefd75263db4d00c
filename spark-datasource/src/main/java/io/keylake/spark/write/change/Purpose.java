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

package io.keylake.spark.write.change;

/** What the changes of a statement are for. */
public enum Purpose {
  /** They are the statement. */
  STATEMENT,
  /**
   * They take away what an overwrite replaces, in one commit with its new rows. Keys are removed by
   * overrides, which new rows of the same keys are newer than.
   */
  OVERWRITE
}
