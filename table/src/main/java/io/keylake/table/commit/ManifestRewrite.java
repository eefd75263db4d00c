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

package io.keylake.table.commit;

import io.keylake.format.manifest.EntryFilter;
import io.keylake.format.manifest.EntryKind;
import io.keylake.format.manifest.FileIdentity;
import io.keylake.format.manifest.ManifestEntry;
import io.keylake.format.manifest.ManifestFile;
import io.keylake.format.manifest.ManifestMerge;
import io.keylake.format.manifest.ManifestReader;
import io.keylake.format.manifest.ManifestWriter;
import io.keylake.format.manifest.ParallelReads;
import io.keylake.format.manifest.StatsProjection;
import io.keylake.format.row.BinaryRow;
import io.keylake.format.types.RowType;
import io.keylake.table.options.ManifestOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the manifests of a table few: rewrites those of the snapshot before into fewer ones for the
 * base list of the next.
 *
 * <ol>
 *   <li>Full: when the manifests that hold DELETE entries or are below the target size add up to
 *       the threshold, they and every manifest whose partitions may hold a removed file are
 *       rewritten without DELETE entries and without the files these remove. A manifest that turns
 *       out to be untouched stays. With at most one to rewrite nothing is done.
 *   <li>Minor, otherwise: going through the manifests in order, each group that adds up to the
 *       target size is merged; what is left over only if it has enough members. A DELETE whose ADD
 *       is in an earlier manifest stays.
 *   <li>The order of manifests is kept, so a DELETE never comes before its ADD.
 * </ol>
 *
 * <p>Rule source: table format, writing and merging manifests. Pinned by {@code
 * ManifestRewriteTest}.
 */
final class ManifestRewrite {
  private final ManifestReader reader;
  private final ManifestWriter writer;
  private final RowType partitionType;
  private final ManifestOptions options;

  ManifestRewrite(
      ManifestReader reader,
      ManifestWriter writer,
      RowType partitionType,
      ManifestOptions options) {
    this.reader = reader;
    this.writer = writer;
    this.partitionType = partitionType;
    this.options = options;
  }

  /** The manifests of the next base list; those that are not in {@code manifests} are new files. */
  List<ManifestFile> merge(List<ManifestFile> manifests) {
    return full(manifests).orElseGet(() -> minor(manifests));
  }

  private boolean mustChange(ManifestFile manifest) {
    return manifest.deletedFiles() > 0 || manifest.size() < options.targetBytes();
  }

  private Optional<List<ManifestFile>> full(List<ManifestFile> manifests) {
    long changing = manifests.stream().filter(this::mustChange).mapToLong(ManifestFile::size).sum();
    if (changing < options.fullThresholdBytes()) {
      return Optional.empty();
    }
    Set<FileIdentity> removed = removedFiles(manifests);
    Set<BinaryRow> partitions = new HashSet<>();
    removed.forEach(identity -> partitions.add(identity.partition()));
    TouchedPartitions touched = TouchedPartitions.of(partitions, partitionType);
    List<ManifestFile> kept = new ArrayList<>();
    List<ManifestFile> candidates = new ArrayList<>();
    for (ManifestFile manifest : manifests) {
      boolean candidate =
          mustChange(manifest) || (!partitions.isEmpty() && touched.mayContain(manifest));
      (candidate ? candidates : kept).add(manifest);
    }
    if (candidates.size() <= 1) {
      return Optional.empty();
    }
    List<ManifestFile> rewritten = new ArrayList<>();
    for (ManifestFile manifest : candidates) {
      (mustChange(manifest) || holdsAny(manifest, removed) ? rewritten : kept).add(manifest);
    }
    Iterable<ManifestEntry> live =
        () ->
            rewritten.stream()
                .flatMap(manifest -> read(manifest).stream())
                .filter(entry -> entry.kind() == EntryKind.ADD)
                .filter(entry -> !removed.contains(FileIdentity.of(entry)))
                .iterator();
    List<ManifestFile> result = new ArrayList<>(kept);
    result.addAll(writer.write(live));
    return Optional.of(result);
  }

  private Set<FileIdentity> removedFiles(List<ManifestFile> manifests) {
    Set<FileIdentity> removed = new HashSet<>();
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(
        manifests.stream().filter(manifest -> manifest.deletedFiles() > 0).toList(),
        manifest -> reader.entries(manifest, StatsProjection.SKIP, EntryFilter.ALL),
        entries ->
            entries.stream()
                .filter(entry -> entry.kind() == EntryKind.DELETE)
                .forEach(entry -> removed.add(FileIdentity.of(entry))));
    return removed;
  }

  private boolean holdsAny(ManifestFile manifest, Set<FileIdentity> removed) {
    return reader.entries(manifest, StatsProjection.SKIP, EntryFilter.ALL).stream()
        .anyMatch(entry -> removed.contains(FileIdentity.of(entry)));
  }

  private List<ManifestFile> minor(List<ManifestFile> manifests) {
    List<ManifestFile> result = new ArrayList<>();
    List<ManifestFile> group = new ArrayList<>();
    long size = 0;
    for (ManifestFile manifest : manifests) {
      group.add(manifest);
      size += manifest.size();
      if (size >= options.targetBytes()) {
        result.addAll(merged(group));
        group = new ArrayList<>();
        size = 0;
      }
    }
    result.addAll(group.size() >= options.mergeMinCount() ? merged(group) : group);
    return result;
  }

  private List<ManifestFile> merged(List<ManifestFile> group) {
    if (group.size() == 1) {
      return group;
    }
    ManifestMerge merge = new ManifestMerge(group.get(0).name());
    ParallelReads.<ManifestFile, List<ManifestEntry>>forEach(group, this::read, merge::addAll);
    return writer.write(merge.entries());
  }

  private List<ManifestEntry> read(ManifestFile manifest) {
    return reader.entries(manifest, StatsProjection.KEEP, EntryFilter.ALL);
  }
}
