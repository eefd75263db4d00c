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

package io.keylake.catalog.stream;

import io.keylake.catalog.HookedFileSystem;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;

/**
 * Stops a writer at an operation on the table's files, as a kill does: that one and all that follow
 * do not happen, no cleaning up among them, and nobody can catch what is thrown.
 */
final class KillSwitch implements HookedFileSystem.Hook {
  private final AtomicInteger left;

  /** Stops at the operation of this number, counted from 1. */
  KillSwitch(int operation) {
    this.left = new AtomicInteger(operation);
  }

  /** What the writer sees. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(Path file) {
      super("killed before " + file.getName());
    }
  }

  boolean hasStruck() {
    return left.get() <= 0;
  }

  private void strike(Path file) {
    if (left.decrementAndGet() <= 0) {
      throw new Killed(file);
    }
  }

  @Override
  public void beforeCreate(Path file) {
    strike(file);
  }

  @Override
  public void beforeDelete(Path file) {
    strike(file);
  }
}
