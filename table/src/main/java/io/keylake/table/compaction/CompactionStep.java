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

package io.keylake.table.compaction;

import io.keylake.format.datafile.DataFile;
import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.table.lsm.KeyRange;
import java.io.Serializable;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One thing that a compaction does with some of its files; steps of a plan are independent. */
public sealed interface CompactionStep extends Serializable {
  /** The files that the step takes from the table. */
  List<CompactionInput> inputs();

  /**
   * Files above the output level that may hold older rows of the inputs' keys: these are marked in
   * deletion vectors, or win (engine first-row), or are what a change has replaced; the files stay
   * where they are.
   */
  default List<CompactionInput> upper() {
    return List.of();
  }

  /** All files that are read, whether the step takes them from the table or not. */
  default Stream<CompactionInput> read() {
    return Stream.concat(inputs().stream(), upper().stream());
  }

  /** The buckets that new files may be put into, in a plan of bucket {@code planned}. */
  default List<Integer> buckets(int planned) {
    return List.of(planned);
  }

  /** Bytes that are read. */
  default long bytes() {
    return inputs().stream().mapToLong(input -> input.file().size()).sum();
  }

  /**
   * Moves a file to the output level by metadata alone.
   *
   * @param input the file, as it is now
   * @param upper files above the output level that may hold older rows of its keys, to be marked in
   *     deletion vectors or told as changed; empty where neither is done
   */
  record Upgrade(CompactionInput input, List<CompactionInput> upper) implements CompactionStep {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public Upgrade {
      upper = List.copyOf(upper);
    }

    @Override
    public List<CompactionInput> inputs() {
      return List.of(input);
    }

    @Override
    public long bytes() {
      return 0;
    }
  }

  /**
   * Merges files of a primary-key table by key into new files of the output level.
   *
   * @param inputs whole sections, ordered by smallest key
   * @param upper as in {@link Upgrade}
   * @param incoming files of a statement that take part without being part of the table
   * @param deletes what becomes of keys whose newest row is a delete
   * @param keys the part of the keys that this step takes care of; several steps with the same
   *     inputs and disjoint ranges rewrite them together
   */
  record Rewrite(
      List<CompactionInput> inputs,
      List<CompactionInput> upper,
      Incoming incoming,
      Deletes deletes,
      KeyRange keys)
      implements CompactionStep {
    private static final long serialVersionUID = 1L;

    /** Copies the lists. */
    public Rewrite {
      inputs = List.copyOf(inputs);
      upper = List.copyOf(upper);
      if (!incoming.isEmpty() && !upper.isEmpty()) {
        throw new IllegalArgumentException("Files of a statement are merged with whole sections");
      }
    }

    /** Merges files of the table alone. */
    public Rewrite(
        List<CompactionInput> inputs, List<CompactionInput> upper, Deletes deletes, KeyRange keys) {
      this(inputs, upper, Incoming.NONE, deletes, keys);
    }

    @Override
    public Stream<CompactionInput> read() {
      return Stream.of(inputs, upper, incoming.overrides(), incoming.records())
          .flatMap(List::stream);
    }

    @Override
    public long bytes() {
      return Stream.of(inputs, incoming.overrides(), incoming.records())
          .flatMap(List::stream)
          .mapToLong(input -> input.file().size())
          .sum();
    }
  }

  /**
   * Files of a statement that are merged with those of the table. They are newer than all of these.
   *
   * @param overrides rows that stand for their keys, at most one of each, whatever the table holds
   * @param records rows that are folded as the table's engine says, newer than the overrides
   */
  record Incoming(List<CompactionInput> overrides, List<CompactionInput> records)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    /** No files. */
    public static final Incoming NONE = new Incoming(List.of(), List.of());

    /** Copies the lists. */
    public Incoming {
      overrides = List.copyOf(overrides);
      records = List.copyOf(records);
    }

    /** Whether there are no files. */
    public boolean isEmpty() {
      return overrides.isEmpty() && records.isEmpty();
    }

    /** Those of the files for which a condition holds. */
    public Incoming only(Predicate<CompactionInput> condition) {
      return new Incoming(
          overrides.stream().filter(condition).toList(),
          records.stream().filter(condition).toList());
    }
  }

  /**
   * Writes the rows of files of an append table one after the other into new files.
   *
   * @param inputs in the order of writing
   */
  record Concatenate(List<CompactionInput> inputs) implements CompactionStep {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public Concatenate {
      inputs = List.copyOf(inputs);
    }

    /** The sequence number of the first row that is written. */
    public long firstSequenceNumber() {
      return inputs.stream()
          .map(CompactionInput::file)
          .mapToLong(DataFile::minSequenceNumber)
          .min()
          .orElse(0);
    }
  }

  /**
   * Writes the rows of one file of an append table into new files, but for some: what a statement
   * that deletes rows does where the table has no deletion vectors.
   *
   * @param input the file; rows that its vector deletes are left out, too
   * @param deleted positions of rows that are left out
   */
  record Remainder(CompactionInput input, DeletionVector deleted) implements CompactionStep {
    private static final long serialVersionUID = 1L;

    @Override
    public List<CompactionInput> inputs() {
      return List.of(input);
    }
  }

  /**
   * Merges files of buckets of a primary-key table by key, into files of new buckets.
   *
   * @param inputs files of several buckets, whose keys are others; their ranks say which is newer
   * @param to the new buckets
   * @param deletes what becomes of keys whose newest row is a delete
   * @param keys the part of the keys that this step takes care of
   */
  record SpreadKeys(List<CompactionInput> inputs, NewBuckets to, Deletes deletes, KeyRange keys)
      implements CompactionStep {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public SpreadKeys {
      inputs = List.copyOf(inputs);
    }

    @Override
    public List<Integer> buckets(int planned) {
      return to.buckets();
    }
  }

  /**
   * Writes the rows of files of one bucket of an append table, one after the other, into files of
   * new buckets.
   *
   * @param inputs in the order of writing
   * @param to the new buckets
   * @param firstSequenceNumber the number of the first row; the next ones count up
   */
  record SpreadRows(List<CompactionInput> inputs, NewBuckets to, long firstSequenceNumber)
      implements CompactionStep {
    private static final long serialVersionUID = 1L;

    /** Copies the list. */
    public SpreadRows {
      inputs = List.copyOf(inputs);
    }

    @Override
    public List<Integer> buckets(int planned) {
      return to.buckets();
    }
  }

  /** What becomes of a key whose newest row is a delete. */
  enum Deletes {
    /** Nothing is written: no older row of the key is left anywhere. */
    DROPPED,
    /** The delete is written, to hide older rows on higher levels. */
    KEPT
  }
}
