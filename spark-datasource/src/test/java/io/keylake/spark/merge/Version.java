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

package io.keylake.spark.merge;

import io.keylake.format.row.ChangeKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stored row of a test table: key, sequence number, kind and the values of its columns. */
record Version(
    List<Object> key,
    long sequence,
    ChangeKind kind,
    long number,
    @Nullable String text,
    @Nullable Integer order) {

  /** What a scan of all columns shows of it. */
  String shown() {
    return key + " " + number + " " + text + " " + order;
  }
}
