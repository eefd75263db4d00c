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

package io.keylake.spark.changelog.difference;

import io.keylake.format.deletionvector.DeletionVector;
import io.keylake.spark.merge.runs.MergeRun;
import io.keylake.spark.merge.runs.RunCursor;
import io.keylake.spark.merge.runs.RunCursor.Role;
import io.keylake.table.compaction.CompactionInput;
import io.keylake.table.difference.DifferenceFile;
import io.keylake.table.difference.DifferenceFile.Place;
import io.keylake.table.difference.DifferenceSplit;
import io.keylake.table.split.StoredVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of a split as sorted runs that can be walked together, and the places of these in the
 * two states. For one thread.
 *
 * <ol>
 *   <li>Files that have the same places in both states are a run: they are of one run in a state.
 *   <li>Runs that both states share stay: of their rows only those matter whose keys other runs
 *       have. All others are walked from end to end.
 *   <li>Files whose deletion vectors differ keep all their rows; {@link #isLive} tells them apart.
 *       Vectors that were only stored anew do not differ.
 * </ol>
 */
final class DifferenceRuns {
  private static final int NOT_THERE = -1;

  /** How the states of a file differ. */
  private enum Difference {
    NONE,
    PLACE,
    PRESENCE
  }

  /** What files of one run have in common. */
  private record Run(
      int rankBefore, int levelBefore, int rankAfter, int levelAfter, Difference of) {
    static Run of(DifferenceFile file, Difference difference) {
      return new Run(
          rank(file.before()),
          level(file.before()),
          rank(file.after()),
          level(file.after()),
          difference);
    }

    private static int rank(@Nullable Place place) {
      return place == null ? NOT_THERE : place.runRank();
    }

    private static int level(@Nullable Place place) {
      return place == null ? NOT_THERE : place.level();
    }

    int rank(Moment moment) {
      return moment == Moment.BEFORE ? rankBefore : rankAfter;
    }

    int level(Moment moment) {
      return moment == Moment.BEFORE ? levelBefore : levelAfter;
    }
  }

  private final List<DifferenceFile> files;
  private final List<Run> places;
  private final List<MergeRun> runs = new ArrayList<>();
  private final @Nullable DeletionVector[] before;
  private final @Nullable DeletionVector[] after;

  DifferenceRuns(DifferenceSplit split, StoredVectors vectors) {
    this.files = split.files();
    this.before = new DeletionVector[files.size()];
    this.after = new DeletionVector[files.size()];
    Map<Run, List<CompactionInput>> members = new LinkedHashMap<>();
    for (int i = 0; i < files.size(); i++) {
      DifferenceFile file = files.get(i);
      Difference difference = compare(i, vectors);
      StoredVector masked = difference == Difference.PLACE ? null : vector(file);
      members
          .computeIfAbsent(Run.of(file, difference), run -> new ArrayList<>())
          .add(new CompactionInput(file.path(), file.file(), i, masked));
    }
    this.places = List.copyOf(members.keySet());
    for (Run run : places) {
      runs.add(
          new MergeRun(
              runs.size(),
              run.of == Difference.NONE ? Role.STAYING : Role.REWRITTEN,
              split.comparesSequence(),
              Math.max(run.levelBefore, run.levelAfter),
              Objects.requireNonNull(members.get(run))));
    }
  }

  private Difference compare(int number, StoredVectors vectors) {
    DifferenceFile file = files.get(number);
    Place then = file.before();
    Place now = file.after();
    if (then == null || now == null) {
      return Difference.PRESENCE;
    } else if (file.isShared()) {
      return Difference.NONE;
    }
    before[number] = vectors.load(then.vector());
    after[number] = vectors.load(now.vector());
    return then.level() == now.level() && Objects.equals(before[number], after[number])
        ? Difference.NONE
        : Difference.PLACE;
  }

  private static @Nullable StoredVector vector(DifferenceFile file) {
    Place place = file.after() == null ? file.before() : file.after();
    return place == null ? null : place.vector();
  }

  /** The runs, whose inputs have the numbers of their files as rank. */
  List<MergeRun> runs() {
    return runs;
  }

  /** Whether the states differ in nothing. */
  boolean areAllShared() {
    return places.stream().allMatch(run -> run.of == Difference.NONE);
  }

  /** The files that differ. */
  List<CompactionInput> differing() {
    List<CompactionInput> differing = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      if (differs(run)) {
        differing.addAll(runs.get(run).files());
      }
    }
    return differing;
  }

  /** Whether there is a run that both states share. */
  boolean isAnyShared() {
    return places.stream().anyMatch(run -> run.of == Difference.NONE);
  }

  /** Whether no file is there in one of the states. */
  boolean isEmpty(Moment moment) {
    return places.stream().allMatch(run -> run.rank(moment) == NOT_THERE);
  }

  /** Whether the rows of a run may be those of a changed key. */
  boolean differs(int run) {
    return places.get(run).of != Difference.NONE;
  }

  /** The place of a run in the order newest first of a state. */
  int rank(int run, Moment moment) {
    return places.get(run).rank(moment);
  }

  /** The level of a run in a state. */
  int level(int run, Moment moment) {
    return places.get(run).level(moment);
  }

  /** Whether a row of the current batch of a run is there in a state. */
  boolean isLive(int run, RunCursor cursor, int row, Moment moment) {
    Run place = places.get(run);
    if (place.of != Difference.PLACE) {
      return place.rank(moment) != NOT_THERE;
    }
    int file = cursor.input().runRank();
    DeletionVector vector = moment == Moment.BEFORE ? before[file] : after[file];
    return vector == null || !vector.isDeleted(cursor.position(row));
  }
}
