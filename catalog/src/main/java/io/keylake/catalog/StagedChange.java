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

package io.keylake.catalog;

/**
 * A table definition that is ready but not yet visible, with the rows a query writes into it. Spark
 * writes the rows first; {@link #publish} then makes the definition visible right before they are
 * committed. For one statement, on the driver.
 */
interface StagedChange {
  /** Makes the definition visible; called once, before the rows are committed. */
  void publish();

  /** Takes back what {@link #publish} did, because the rows could not be committed. */
  void takeBack();

  /** Finishes a published change: everything is committed. */
  void finish();

  /** Gives up a change that was never published; files that tasks wrote are gone already. */
  void discard();

  /** What a statement without query commits besides the definition. */
  void commitWithoutRows();
}
