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

/**
 * The newest row of a key stands for it: engine deduplicate. A row of kind -U alone is a delete.
 *
 * <p>Example: (k=1, a, sequence 3) in level 0, (k=1, b, sequence 1) in a staying file gives after =
 * (k=1, a), and (k=1, b) is outdated.
 */
final class NewestOfKey implements KeyFold {
  private final VersionOrder order;

  NewestOfKey(VersionOrder order) {
    this.order = order;
  }

  @Override
  public void fold(KeyVersions versions, MergedKeys keys) {
    int newest = 0;
    boolean anyOutdated = false;
    boolean anyRewritten = versions.cursor(0).role().isWritten();
    for (int version = 1; version < versions.count(); version++) {
      anyRewritten |= versions.cursor(version).role().isWritten();
      int older = version;
      if (order.isNewer(versions, version, newest)) {
        older = newest;
        newest = version;
      }
      if (versions.cursor(older).role() == RunCursor.Role.STAYING) {
        keys.addOutdated(versions.run(older), versions.row(older));
        anyOutdated = true;
      }
    }
    if (anyRewritten || anyOutdated) {
      keys.add(versions.run(newest), versions.row(newest));
    }
  }
}
