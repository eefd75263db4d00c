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

package io.keylake.table.split;

import io.keylake.format.datafile.DataFile;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of one data file that is scanned once, by one task. The row groups (stripes, blocks) whose
 * midpoint lies in the byte range belong to it.
 *
 * @param path full address of the file
 * @param file the file, without statistics
 * @param start first byte of the range
 * @param length bytes of the range; {@code file.size()} for a whole file
 * @param runRank position of its run in the order newest first; compared with {@link Probe#runRank}
 * @param vector its deletion vector; null when there is none
 * @param probes files that may hold rows of its keys which count instead; empty for a raw unit
 */
public record ScanUnit(
    String path,
    DataFile file,
    long start,
    long length,
    int runRank,
    @Nullable StoredVector vector,
    List<Probe> probes)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list. */
  public ScanUnit {
    probes = List.copyOf(probes);
  }

  /** Whether the unit's rows can be handed on as they are, but for its deletion vector. */
  public boolean isRaw() {
    return probes.isEmpty() && !file.mayHoldDeletes();
  }
}
