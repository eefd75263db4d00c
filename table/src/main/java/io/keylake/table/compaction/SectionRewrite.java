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
import io.keylake.format.row.BinaryRow;
import io.keylake.format.row.KeyComparator;
import io.keylake.format.schema.TableSchema;
import io.keylake.table.compaction.CompactionStep.Deletes;
import io.keylake.table.compaction.CompactionStep.Incoming;
import io.keylake.table.compaction.CompactionStep.Rewrite;
import io.keylake.table.lsm.KeyRange;
import io.keylake.table.lsm.Levels;
import io.keylake.table.lsm.Sections;
import io.keylake.table.lsm.Sections.Section;
import io.keylake.table.options.TableOptions;
import io.keylake.table.scan.BucketFiles;
import io.keylake.table.scan.FileAddresses;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the rewrite of those sections of a bucket that keys of a statement fall into. For one
 * thread.
 *
 * <ol>
 *   <li>First the keys are named, one by one or by the ranges of files. A section that may hold one
 *       of them takes part with all its files, of every level; so does a gap between sections. What
 *       is rewritten is put on the top level, where deletes are dropped.
 *   <li>Touched sections next to each other are one step. A section that is not touched ends the
 *       step before it: no new file may reach over it.
 *   <li>Files of the statement take part in each step whose keys they may hold. Overrides rank
 *       before all runs of the table, records before these. Files of either kind that do not
 *       overlap make one run.
 * </ol>
 *
 * <p>Example: top level [1,5] [10,15] [20,25], level 0 [14,21], overrides of 3 and 17: steps are
 * keys below 10, which rewrites [1,5], and keys from 5 on, which rewrites the other three. With an
 * override of 7 alone a file of that key is made, and nothing else.
 *
 * <p>Pinned by {@code SectionRewriteTest}.
 */
public final class SectionRewrite {
  private final BucketFiles bucket;
  private final KeyComparator keys;
  private final BucketInputs files;
  private final List<Section> sections;
  private final List<BinaryRow> firsts = new ArrayList<>();
  private final List<BinaryRow> lasts = new ArrayList<>();
  private final int outputLevel;
  private final BitSet touched = new BitSet();

  /** Gap i is before section i. */
  private final BitSet gaps = new BitSet();

  /**
   * A rewrite of a bucket, of which no key has been named.
   *
   * @param bucket all its live files
   */
  public SectionRewrite(
      TableSchema schema, TableOptions options, FileAddresses addresses, BucketFiles bucket) {
    this.bucket = bucket;
    this.keys = KeyComparator.of(schema.keyType());
    this.files = new BucketInputs(bucket, addresses);
    Levels levels = Levels.of(bucket.files(), keys);
    this.sections = Sections.of(levels, keys);
    this.outputLevel = Math.max(options.compaction().levels() - 1, levels.highestLevel());
    for (Section section : sections) {
      firsts.add(section.files().get(0).file().minKey());
      lasts.add(section.files().stream().map(file -> file.file().maxKey()).max(keys).orElseThrow());
    }
  }

  /** Whether naming the keys of a file one by one may leave out more than its range does. */
  public boolean spreads(DataFile file) {
    int first = firstNotBelow(file.minKey());
    return first < sections.size() && keys.compare(lasts.get(first), file.maxKey()) < 0;
  }

  /** Names a key. */
  public void touch(BinaryRow key) {
    touch(key, key);
  }

  /** Names all keys that a file may hold. */
  public void touch(DataFile file) {
    touch(file.minKey(), file.maxKey());
  }

  private void touch(BinaryRow min, BinaryRow max) {
    int section = firstNotBelow(min);
    if (section == sections.size() || keys.compare(min, firsts.get(section)) < 0) {
      gaps.set(section);
    }
    while (section < sections.size() && keys.compare(firsts.get(section), max) <= 0) {
      touched.set(section);
      if (keys.compare(max, lasts.get(section)) > 0) {
        gaps.set(section + 1);
      }
      section++;
    }
  }

  /** The first section whose largest key is not below a key. */
  private int firstNotBelow(BinaryRow key) {
    int low = 0;
    int high = sections.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys.compare(lasts.get(middle), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The plan; empty when no key was named.
   *
   * @param overrides files of the bucket's folder with rows that stand for their keys
   * @param records files of the bucket's folder with rows that are newer than these
   */
  public Optional<CompactionPlan> plan(List<DataFile> overrides, List<DataFile> records) {
    List<List<DataFile>> recordRuns = runs(records);
    List<List<DataFile>> overrideRuns = runs(overrides);
    Incoming incoming =
        new Incoming(
            inputs(overrideRuns, -overrideRuns.size()),
            inputs(recordRuns, -overrideRuns.size() - recordRuns.size()));
    List<CompactionStep> steps = new ArrayList<>();
    List<CompactionInput> collected = new ArrayList<>();
    boolean any = false;
    BinaryRow from = null;
    for (int section = 0; section < sections.size(); section++) {
      any |= gaps.get(section) || touched.get(section);
      if (touched.get(section)) {
        sections
            .get(section)
            .files()
            .forEach(file -> collected.add(files.read(file.file(), file.runRank())));
      } else {
        if (any) {
          steps.add(step(collected, incoming, new KeyRange(from, firsts.get(section))));
        }
        collected.clear();
        any = false;
        from = lasts.get(section);
      }
    }
    if (any || gaps.get(sections.size())) {
      steps.add(step(collected, incoming, new KeyRange(from, null)));
    }
    return steps.isEmpty() ? Optional.empty() : Optional.of(files.plan(outputLevel, steps));
  }

  private Rewrite step(List<CompactionInput> inputs, Incoming incoming, KeyRange range) {
    return new Rewrite(
        inputs,
        List.of(),
        incoming.only(input -> meets(input.file(), range)),
        Deletes.DROPPED,
        range);
  }

  private boolean meets(DataFile file, KeyRange range) {
    @Nullable BinaryRow from = range.from();
    @Nullable BinaryRow to = range.to();
    return (from == null || keys.compare(file.maxKey(), from) >= 0)
        && (to == null || keys.compare(file.minKey(), to) < 0);
  }

  /** The files in runs of files that do not overlap, the newest first. */
  private List<List<DataFile>> runs(List<DataFile> all) {
    List<DataFile> sorted = new ArrayList<>(all);
    sorted.sort(
        Comparator.comparing(DataFile::minKey, keys)
            .thenComparing(Comparator.comparingLong(DataFile::maxSequenceNumber).reversed()));
    List<List<DataFile>> runs = new ArrayList<>();
    for (DataFile file : sorted) {
      List<DataFile> fitting =
          runs.stream()
              .filter(run -> keys.compare(run.get(run.size() - 1).maxKey(), file.minKey()) < 0)
              .findFirst()
              .orElse(null);
      if (fitting == null) {
        fitting = new ArrayList<>();
        runs.add(fitting);
      }
      fitting.add(file);
    }
    return runs;
  }

  private List<CompactionInput> inputs(List<List<DataFile>> runs, int firstRank) {
    List<CompactionInput> inputs = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      for (DataFile file : runs.get(run)) {
        inputs.add(files.read(file, firstRank + run));
      }
    }
    return inputs;
  }

  /** The bucket. */
  public BucketFiles bucket() {
    return bucket;
  }
}
