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

package io.keylake.spark.stream;

/**
 * How much there is to read; counts of what is stored, before any row is left out.
 *
 * @param files data or changelog files, parts of one counted each
 * @param rows rows in them
 * @param bytes bytes of them
 */
record WorkSize(long files, long rows, long bytes) {
  static final WorkSize NONE = new WorkSize(0, 0, 0);

  WorkSize plus(WorkSize more) {
    return new WorkSize(files + more.files, rows + more.rows, bytes + more.bytes);
  }
}
