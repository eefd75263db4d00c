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

package io.keylake.spark.sort;

import java.io.IOException;

/**
 * Sorted rows, one at a time. The current row is valid until the next call of {@link #next}; its
 * memory may be reused by then.
 */
public interface SortedRows {
  /** Moves to the next row; false at the end. */
  boolean next() throws IOException;

  /** The object, or null, that holds the current row; see {@link #offset}. */
  Object base();

  /** Where the current row starts in {@link #base}. */
  long offset();

  /** The length of the current row in bytes. */
  int length();

  /** The current row's group. */
  int group();

  /** The current row's sequence number, as inserted. */
  long sequenceNumber();

  /** The code of the current row's change kind. */
  byte kind();
}
