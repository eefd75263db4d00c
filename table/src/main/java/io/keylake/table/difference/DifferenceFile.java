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

package io.keylake.table.difference;

import io.keylake.format.datafile.DataFile;
import io.keylake.table.split.StoredVector;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data file of one of two states of a bucket, or of both.
 *
 * @param path full address of the file
 * @param file the file, without statistics
 * @param before its place in the earlier state; null when it was not there yet
 * @param after its place in the later state; null when it is gone
 */
public record DifferenceFile(
    String path, DataFile file, @Nullable Place before, @Nullable Place after)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * The place of a file in a state.
   *
   * @param level its level
   * @param runRank position of its run in the order newest first; decides when sequence numbers are
   *     equal
   * @param vector its deletion vector; null when there is none
   */
  public record Place(int level, int runRank, @Nullable StoredVector vector)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Checks that the file is somewhere. */
  public DifferenceFile {
    if (before == null && after == null) {
      throw new IllegalArgumentException("File " + path + " is in neither state");
    }
  }

  /** Whether both states have the file. */
  public boolean isInBoth() {
    return before != null && after != null;
  }

  /**
   * Whether both states have the file at the same level and with the same deletion vector, so that
   * it differs in nothing. One whose vector has only been stored anew is said to differ.
   */
  public boolean isShared() {
    return before != null
        && after != null
        && before.level() == after.level()
        && Objects.equals(before.vector(), after.vector());
  }
}
