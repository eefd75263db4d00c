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

package io.keylake.spark.merge.function.nested;

import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Sketch;
import org.apache.datasketches.theta.Sketches;
import org.apache.datasketches.theta.Union;

/**
 * Theta sketches of DataSketches, of any form. The union keeps 4096 entries at most and is stored
 * compact and in order. No bytes are an empty sketch.
 */
final class ThetaUnion implements BytesUnion<Sketch> {
  private static final int NOMINAL_ENTRIES = 4096;

  @Override
  public String needed() {
    return "a theta sketch of DataSketches";
  }

  @Override
  public Sketch read(byte[] bytes) {
    return bytes.length == 0 ? newUnion().getResult() : Sketches.heapifySketch(Memory.wrap(bytes));
  }

  @Override
  public Sketch unite(Sketch earlier, Sketch later) {
    return newUnion().union(earlier, later);
  }

  private static Union newUnion() {
    return SetOperation.builder().setNominalEntries(NOMINAL_ENTRIES).buildUnion();
  }

  @Override
  public byte[] write(Sketch sketch) {
    return sketch.toByteArray();
  }
}
