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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;

/**
 * When the statement began that a writer runs: what one process tells another, as a user knows when
 * the oldest statement began that is still running.
 *
 * @param file holds the time
 */
record RunningStatement(Path file) {
  /** File systems tell times a little late. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

  static RunningStatement in(Path warehouse) {
    return new RunningStatement(warehouse.resolve("statement-began"));
  }

  /** The writer begins a statement; the one before has ended. */
  void begins() throws IOException {
    Path next = file.resolveSibling("statement-begins");
    Files.writeString(next, Instant.now().toString());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A time before any file that the running statement or a later one makes. */
  Instant before() throws IOException {
    return Instant.parse(Files.readString(file)).minus(CLOCK_DIFFERENCE);
  }
}
