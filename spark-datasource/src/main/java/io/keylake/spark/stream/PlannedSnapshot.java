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

package io.keylake.spark.stream;

import io.keylake.spark.stream.StreamPosition.Phase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What one snapshot gives to a query, in the order in which it is read.
 *
 * @param snapshotId the snapshot
 * @param manifestList name of its delta manifest list; empty when it has expired
 * @param phase whether its whole version is read or what it changed
 * @param pieces the work
 */
record PlannedSnapshot(long snapshotId, String manifestList, Phase phase, List<WorkPiece> pieces) {
  PlannedSnapshot {
    pieces = List.copyOf(pieces);
  }

  /** All of it. */
  WorkSize size() {
    return sizeFrom(0);
  }

  /** The pieces from one on. */
  WorkSize sizeFrom(int index) {
    return pieces.subList(index, pieces.size()).stream()
        .map(WorkPiece::size)
        .reduce(WorkSize.NONE, WorkSize::plus);
  }

  /** The place behind its first {@code count} pieces. */
  StreamPosition behind(int count) {
    boolean isAll = count == pieces.size();
    return new StreamPosition(
        snapshotId,
        isAll ? StreamPosition.END : count,
        phase,
        manifestList,
        isAll || count == 0 ? "" : fingerprint());
  }

  /** The same for the same pieces in the same order. */
  String fingerprint() {
    CRC32C sum = new CRC32C();
    for (WorkPiece piece : pieces) {
      sum.update(piece.identity().getBytes(StandardCharsets.UTF_8));
      sum.update('\n');
    }
    return Long.toHexString(sum.getValue());
  }
}
