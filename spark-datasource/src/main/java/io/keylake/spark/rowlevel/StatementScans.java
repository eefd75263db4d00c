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

package io.keylake.spark.rowlevel;

import io.keylake.spark.read.KeylakeScanBuilder;
import io.keylake.spark.read.ReadTarget;
import io.keylake.table.options.CommitOptions.Isolation;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.ReadRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scans that Spark has begun for a row-level statement. For one thread at a time. */
public final class StatementScans {
  private final ReadTarget target;
  private final List<KeylakeScanBuilder> scans = new ArrayList<>();

  /** Scans of {@code target}. */
  public StatementScans(ReadTarget target) {
    this.target = target;
  }

  /** Begins another one. */
  public KeylakeScanBuilder begin() {
    KeylakeScanBuilder builder = KeylakeScanBuilder.ofRowLevel(target);
    scans.add(builder);
    return builder;
  }

  /** The files of which the statement may have read rows. */
  public List<BucketFiles> candidates() {
    return scan().candidates();
  }

  /** What the statement has looked for, when that must not change; null when it may. */
  public @Nullable ReadRange readRange(Isolation isolation) {
    return switch (isolation) {
      case SERIALIZABLE -> scan().readRange();
      case SNAPSHOT -> null;
    };
  }

  /** The only scan; one of everything where Spark has begun several, or none. */
  private KeylakeScanBuilder scan() {
    return scans.size() == 1 ? scans.get(0) : KeylakeScanBuilder.ofRowLevel(target);
  }
}
