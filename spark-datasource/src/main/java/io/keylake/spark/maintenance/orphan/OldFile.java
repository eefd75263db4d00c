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

package io.keylake.spark.maintenance.orphan;

import io.keylake.format.fileio.FileStatus;
import io.keylake.format.fileio.Location;
import java.io.Serializable;

/** A listed file as it travels between tasks. */
record OldFile(Location location, long length, long modifiedMillis) implements Serializable {
  private static final long serialVersionUID = 1L;

  static OldFile of(FileStatus status) {
    return new OldFile(status.location(), status.length(), status.modifiedMillis());
  }

  FileStatus status() {
    return new FileStatus(location, length, modifiedMillis, false);
  }
}
