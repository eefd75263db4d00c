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

package io.keylake.cli;

/**
 * One statement of the tour.
 *
 * @param shows what the reader should see in it
 * @param statement SQL without semicolon
 * @param expected its result as {@link TablePrinter} prints it; empty for a statement without one
 */
record TourStep(String shows, String statement, String expected) {
  /** A statement without a result. */
  static TourStep change(String shows, String statement) {
    return new TourStep(shows, statement, "");
  }

  /** A query. */
  static TourStep query(String shows, String statement, String expected) {
    return new TourStep(shows, statement, expected);
  }
}
