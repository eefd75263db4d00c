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
import io.keylake.format.row.KeyComparator;
import io.keylake.table.lsm.Sections.RankedFile;
import io.keylake.table.lsm.Sections.Section;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import io.keylake.table.split.MergeRules.AboveLevelZero;
import io.keylake.table.split.MergeRules.Merging;
import io.keylake.table.split.MergeRules.VersionOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the units of one bucket, each a whole file, and finds their probes. Immutable.
 *
 * <ol>
 *   <li>Files that are never merged are units without probes, in the order of writing; so are the
 *       files of a section that engines which compute rows need not fold.
 *   <li>A probe of a unit is a file of another run of its section whose key range meets the unit's
 *       and whose largest sequence number is at least the unit's smallest (after compaction equal
 *       numbers can be on two levels). With user sequence fields any such file is a probe whatever
 *       its sequence numbers.
 *   <li>Sequences need no comparison when the probe's smallest number is greater than the unit's
 *       largest and there are no user sequence fields.
 *   <li>Where deletion vectors mark all outdated rows above level 0, files above level 0 are no
 *       probes of one another.
 *   <li>Where the first row counts it is the mirror image: a unit of level 0 has as probes the
 *       files above level 0, which need no comparison, and the files of level 0 whose smallest
 *       sequence number is at most the unit's largest. Units above level 0 have none.
 *   <li>Files that are not wanted as units are probes all the same.
 * </ol>
 *
 * <p>Rule source: design of merge-on-read; pinned by {@code SplitPlannerTest} and {@code
 * SplitPlannerModelTest}.
 */
final class UnitPlanner {
  private final MergeRules rules;
  private final KeyComparator keys;
  private final FileAddresses addresses;

  UnitPlanner(MergeRules rules, KeyComparator keys, FileAddresses addresses) {
    this.rules = rules;
    this.keys = keys;
    this.addresses = addresses;
  }

  /** The units of a bucket whose files are never merged. */
  List<ScanUnit> units(BucketFiles bucket) {
    List<ScanUnit> units = new ArrayList<>();
    List<DataFile> files = new ArrayList<>(bucket.units());
    files.sort(Comparator.comparingLong(DataFile::minSequenceNumber));
    for (DataFile file : files) {
      units.add(unit(new Prepared(bucket, file, 0), List.of()));
    }
    return units;
  }

  /** The units of one section of a bucket. */
  List<ScanUnit> units(BucketFiles bucket, Section section) {
    List<ScanUnit> units = new ArrayList<>();
    List<Prepared> files =
        section.files().stream()
            .map(file -> new Prepared(bucket, file.file(), file.runRank()))
            .toList();
    for (Prepared file : files) {
      if (bucket.isUnit(file.ranked.file())) {
        units.add(unit(file, probes(file, files)));
      }
    }
    return units;
  }

  private List<Probe> probes(Prepared unit, List<Prepared> section) {
    List<Probe> probes = new ArrayList<>();
    for (Prepared candidate : section) {
      if (mayHideRows(candidate.ranked, unit.ranked)) {
        probes.add(candidate.probe(comparesSequence(candidate.ranked.file(), unit.ranked.file())));
      }
    }
    probes.sort(Comparator.comparingInt(Probe::runRank));
    return probes;
  }

  private boolean mayHideRows(RankedFile candidate, RankedFile unit) {
    DataFile probe = candidate.file();
    DataFile file = unit.file();
    return candidate.runRank() != unit.runRank()
        && mayHideRows(probe, file)
        && keys.compare(probe.minKey(), file.maxKey()) <= 0
        && keys.compare(probe.maxKey(), file.minKey()) >= 0;
  }

  private boolean mayHideRows(DataFile probe, DataFile unit) {
    return switch (rules.merging()) {
      case APPEND, NEVER, COMPUTED -> false;
      case LAST_ROW -> {
        boolean vectorsTell =
            rules.aboveLevelZero() == AboveLevelZero.DISJOINT
                && probe.level() > 0
                && unit.level() > 0;
        yield !vectorsTell
            && (rules.order() == VersionOrder.USER_SEQUENCE
                || probe.maxSequenceNumber() >= unit.minSequenceNumber());
      }
      case FIRST_ROW ->
          unit.level() == 0
              && (probe.level() > 0 || probe.minSequenceNumber() <= unit.maxSequenceNumber());
    };
  }

  private boolean comparesSequence(DataFile probe, DataFile unit) {
    if (rules.merging() == Merging.FIRST_ROW) {
      return probe.level() == 0 && probe.maxSequenceNumber() >= unit.minSequenceNumber();
    }
    return rules.order() == VersionOrder.USER_SEQUENCE
        || probe.minSequenceNumber() <= unit.maxSequenceNumber();
  }

  private static ScanUnit unit(Prepared file, List<Probe> probes) {
    return new ScanUnit(
        file.path, file.plain, 0, file.plain.size(), file.ranked.runRank(), file.vector, probes);
  }

  /** A file with what its unit and its probes share. */
  private final class Prepared {
    private final RankedFile ranked;
    private final String path;
    private final DataFile plain;
    private final @Nullable StoredVector vector;
    private final Map<Boolean, Probe> probes = new HashMap<>();

    Prepared(BucketFiles bucket, DataFile file, int runRank) {
      ranked = new RankedFile(file, runRank);
      path = addresses.dataFile(bucket.partition(), bucket.bucket(), file).path();
      DataFile withoutStats = file.withoutStats();
      plain = rules.merging() == Merging.APPEND ? withoutStats.withoutDeletes() : withoutStats;
      vector = StoredVector.of(bucket.vectors().get(file.name()));
    }

    Probe probe(boolean compareSequence) {
      return probes.computeIfAbsent(
          compareSequence, compare -> new Probe(path, plain, ranked.runRank(), compare, vector));
    }
  }
}
