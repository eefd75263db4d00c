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

package io.keylake.spark.merge.runs;

/** Looked at between batches, so that a task that is killed ends soon. */
@FunctionalInterface
public interface StopCheck {
  /** Never stops. */
  StopCheck NEVER = () -> {};

  /** Throws when the work is no longer wanted; what is thrown is the task's to choose. */
  void check();
}
