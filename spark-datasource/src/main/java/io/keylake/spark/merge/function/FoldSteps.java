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

package io.keylake.spark.merge.function;

import java.util.Arrays;

/**
 * What versions of keys do to the columns of each lane: for each key some entries in order, each of
 * which names a version (a row of the versions' vectors) and has a step for each lane. A version
 * may have several entries. For one thread.
 *
 * <p>The accumulator of a column starts as NULL for each key. Steps:
 *
 * <ol>
 *   <li>{@link #SKIP}: nothing.
 *   <li>{@link #ADD}: acc := f(acc, value).
 *   <li>{@link #ADD_LATE}: the row is older, in its sequence group, than what is there: acc :=
 *       f(value, acc); columns without a function of their own keep what they have.
 *   <li>{@link #RETRACT}: acc := retract(acc, value).
 *   <li>{@link #RETRACT_LATE}: as RETRACT, but columns of a group without a function, or with one
 *       that cannot take back, keep what they have: a late deletion does not make a key unreadable.
 *   <li>{@link #RESET}: acc := value, NULL included, whatever was before and whatever the function.
 * </ol>
 */
public final class FoldSteps {
  public static final byte SKIP = 0;
  public static final byte ADD = 1;
  public static final byte ADD_LATE = 2;
  public static final byte RETRACT = 3;
  public static final byte RETRACT_LATE = 4;
  public static final byte RESET = 5;

  private final Lane[] lanes;
  private int[] versions = new int[64];
  private int[] ends = new int[64];
  private int keys;
  private int entries;

  /** Steps for {@code lanes} lanes, at least one. */
  public FoldSteps(int lanes) {
    this.lanes = new Lane[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      this.lanes[lane] = new Lane();
    }
  }

  /** The steps of one lane. */
  public final class Lane {
    private byte[] steps = new byte[64];

    private Lane() {}

    /** The number of keys. */
    public int keys() {
      return keys;
    }

    /** The first entry of a key. */
    public int begin(int key) {
      return key == 0 ? 0 : ends[key - 1];
    }

    /** The entry behind the last one of a key. */
    public int end(int key) {
      return ends[key];
    }

    /** The row of an entry in the versions' vectors. */
    public int version(int entry) {
      return versions[entry];
    }

    /** What an entry does. */
    public byte step(int entry) {
      return steps[entry];
    }
  }

  /** Forgets all keys. */
  public void clear() {
    keys = 0;
    entries = 0;
  }

  /** Adds an entry of the current key that skips all lanes; returns its number. */
  public int addEntry(int version) {
    if (entries == versions.length) {
      versions = Arrays.copyOf(versions, entries * 2);
    }
    versions[entries] = version;
    for (Lane lane : lanes) {
      if (entries == lane.steps.length) {
        lane.steps = Arrays.copyOf(lane.steps, entries * 2);
      }
      lane.steps[entries] = SKIP;
    }
    return entries++;
  }

  /** Sets what an entry does to a lane. */
  public void set(int entry, int lane, byte step) {
    lanes[lane].steps[entry] = step;
  }

  /** Sets what an entry does to all lanes. */
  public void set(int entry, byte step) {
    for (Lane lane : lanes) {
      lane.steps[entry] = step;
    }
  }

  /** The late form of {@link #ADD} or {@link #RETRACT}. */
  public static byte late(byte step) {
    return step == ADD ? ADD_LATE : RETRACT_LATE;
  }

  /** Ends the current key. */
  public void endKey() {
    if (keys == ends.length) {
      ends = Arrays.copyOf(ends, keys * 2);
    }
    ends[keys++] = entries;
  }

  /** The number of lanes. */
  public int lanes() {
    return lanes.length;
  }

  /** The steps of a lane. */
  public Lane lane(int lane) {
    return lanes[lane];
  }
}
