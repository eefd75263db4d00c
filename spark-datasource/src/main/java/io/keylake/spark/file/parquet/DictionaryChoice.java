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

package io.keylake.spark.file.parquet;

/**
 * Whether a dictionary pays. Parquet's own writers decide after a whole page; most columns that
 * will not pay show it in the first batch.
 */
final class DictionaryChoice {
  /** Values to see before a dictionary is given up inside a page. */
  static final int MIN_VALUES = 1024;

  /** Values to see before a dictionary is given up at the end of the first page. */
  static final int MIN_VALUES_AT_END = 16;

  private static final double MAX_DISTINCT_SHARE = 0.7;

  private DictionaryChoice() {}

  /** Whether nearly all of the values so far are distinct. */
  static boolean isUseless(int distinct, int values, int minValues) {
    return values >= minValues && distinct > MAX_DISTINCT_SHARE * values;
  }

  /** About the bytes that ids take in a page. */
  static long idBytes(int distinct, int values) {
    int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, distinct - 1));
    return (long) values * bits / 8;
  }
}
