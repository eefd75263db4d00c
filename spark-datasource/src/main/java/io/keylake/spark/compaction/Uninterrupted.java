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

package io.keylake.spark.compaction;

/**
 * Work that must be done even in a thread that was told to stop: deleting files that are no longer
 * wanted, for which storage must be reachable.
 */
public final class Uninterrupted {
  /** The work. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    /** Does it. */
    void run() throws E;
  }

  private Uninterrupted() {}

  /** Does the work; the thread is told to stop again afterwards. */
  public static <E extends Exception> void run(Work<E> work) throws E {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
