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

package io.keylake.table.maintenance;

import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.row.BinaryRowCodec;
import io.keylake.format.types.RowType;
import io.keylake.table.maintenance.TableProblem.Kind;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what a manifest list says of a manifest with its entries. */
final class ManifestCheck {
  private final RowType partitionType;
  private final BinaryRowCodec partitions;
  private final Problems problems;

  ManifestCheck(RowType partitionType, Problems problems) {
    this.partitionType = partitionType;
    this.partitions = BinaryRowCodec.of(partitionType);
    this.problems = problems;
  }

  void check(ManifestFile manifest, List<ManifestEntry> entries) {
    String place = "manifest " + manifest.name();
    long added = entries.stream().filter(entry -> entry.kind() == EntryKind.ADD).count();
    long deleted = entries.size() - added;
    if (added != manifest.addedFiles() || deleted != manifest.deletedFiles()) {
      problems.add(
          Kind.MANIFEST_RECORD,
          place,
          "adds %d and removes %d files, its list says %d and %d"
              .formatted(added, deleted, manifest.addedFiles(), manifest.deletedFiles()));
    }
    if (entries.isEmpty()) {
      return;
    }
    range(
        place,
        "buckets",
        entries.stream().mapToInt(ManifestEntry::bucket).summaryStatistics(),
        manifest.minBucket(),
        manifest.maxBucket());
    range(
        place,
        "levels",
        entries.stream().mapToInt(entry -> entry.file().level()).summaryStatistics(),
        manifest.minLevel(),
        manifest.maxLevel());
    ColumnFacts facts = new ColumnFacts(partitionType);
    entries.forEach(entry -> facts.add(partitions.decode(entry.partition())));
    facts
        .differences(manifest.partitionStats(), null)
        .forEach(text -> problems.add(Kind.MANIFEST_RECORD, place, "partition column " + text));
  }

  private void range(
      String place,
      String what,
      IntSummaryStatistics found,
      @Nullable Integer min,
      @Nullable Integer max) {
    boolean differs =
        (min != null && min != found.getMin()) || (max != null && max != found.getMax());
    if (differs) {
      problems.add(
          Kind.MANIFEST_RECORD,
          place,
          "%s are %d to %d, its list says %s to %s"
              .formatted(what, found.getMin(), found.getMax(), min, max));
    }
  }
}
