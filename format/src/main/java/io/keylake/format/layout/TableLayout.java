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

package io.keylake.format.layout;

import io.keylake.format.fileio.Location;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of one table, seen through one branch, are. Immutable.
 *
 * <pre>
 * &lt;root&gt;/schema/schema-&lt;n&gt;                    snapshot/snapshot-&lt;n&gt;, LATEST, EARLIEST
 *        changelog/changelog-&lt;n&gt;, LATEST, EARLIEST
 *        manifest/&lt;name&gt;                        index/&lt;name&gt;      statistics/&lt;name&gt;
 *        tag/tag-&lt;name&gt;                         consumer/consumer-&lt;id&gt;
 *        branch/branch-&lt;name&gt;/schema, snapshot, changelog, tag, consumer
 *        [&lt;directory&gt;/][&lt;k&gt;=&lt;v&gt;/...]bucket-&lt;b&gt;/&lt;data file&gt;    (bucket -2: bucket-postpone)
 * </pre>
 *
 * Rules:
 *
 * <ol>
 *   <li>The branch {@code main} is the root itself. Manifests, index files, statistics and data
 *       files of every branch are in the root's folders.
 *   <li>A data file that has an external path is exactly there; index files may live in the
 *       bucket's folder. See {@link DataPlacement}.
 *   <li>A name that is given to a method below becomes one path segment, never more; an external
 *       path stays inside the table or the roots of {@link DataPlacement}. Anything else is
 *       KEYLAKE_FORBIDDEN_PATH.
 * </ol>
 *
 * Rule source: table format, directory layout. Pinned by {@code TableLayoutTest}.
 */
public final class TableLayout {
  /** The branch that every table has. */
  public static final String MAIN_BRANCH = "main";

  public static final String SCHEMA_PREFIX = "schema-";
  public static final String SNAPSHOT_PREFIX = "snapshot-";
  public static final String CHANGELOG_PREFIX = "changelog-";
  public static final String TAG_PREFIX = "tag-";
  public static final String BRANCH_PREFIX = "branch-";
  public static final String CONSUMER_PREFIX = "consumer-";
  public static final String BUCKET_PREFIX = "bucket-";

  /** Names of the hint files. */
  public static final String LATEST = "LATEST";

  public static final String EARLIEST = "EARLIEST";

  /** The bucket of rows that have no bucket yet. */
  public static final int POSTPONE_BUCKET = -2;

  private final Location root;
  private final String branch;
  private final DataPlacement placement;

  private TableLayout(Location root, String branch, DataPlacement placement) {
    this.root = root;
    this.branch = branch;
    this.placement = placement;
  }

  /** The main branch of the table at {@code root}, with data files in their usual place. */
  public static TableLayout of(Location root) {
    return new TableLayout(root, MAIN_BRANCH, DataPlacement.DEFAULT);
  }

  /** The same table seen through {@code name}, which may be {@value #MAIN_BRANCH}. */
  public TableLayout onBranch(String name) {
    return new TableLayout(root, SafePaths.name("branch", name), placement);
  }

  /** The same table with its data files placed as its options say. */
  public TableLayout placing(DataPlacement newPlacement) {
    return new TableLayout(root, branch, newPlacement);
  }

  /** The folder of the table. */
  public Location root() {
    return root;
  }

  /** The branch it is seen through. */
  public String branch() {
    return branch;
  }

  /** Whether this is the main branch. */
  public boolean isMainBranch() {
    return branch.equals(MAIN_BRANCH);
  }

  /** The folder of all branches but the main one. */
  public Location branchesFolder() {
    return root.child("branch");
  }

  /** The folder of this branch's schemas, snapshots, changelogs, tags and consumers. */
  public Location branchFolder() {
    return isMainBranch() ? root : branchesFolder().child(BRANCH_PREFIX + branch);
  }

  /** The folder of schema files. */
  public Location schemaFolder() {
    return branchFolder().child("schema");
  }

  /** A schema file. */
  public Location schema(long id) {
    return schemaFolder().child(SCHEMA_PREFIX + id);
  }

  /** The folder of snapshot files and their hints. */
  public Location snapshotFolder() {
    return branchFolder().child("snapshot");
  }

  /** A snapshot file. */
  public Location snapshot(long id) {
    return snapshotFolder().child(SNAPSHOT_PREFIX + id);
  }

  /** The folder of changelogs that outlive their snapshot, and their hints. */
  public Location changelogFolder() {
    return branchFolder().child("changelog");
  }

  /** The file of a changelog that outlives its snapshot. */
  public Location changelog(long id) {
    return changelogFolder().child(CHANGELOG_PREFIX + id);
  }

  /** The folder of tags. */
  public Location tagFolder() {
    return branchFolder().child("tag");
  }

  /** The file of a tag. */
  public Location tag(String name) {
    return tagFolder().child(TAG_PREFIX + SafePaths.name("tag", name));
  }

  /** The file that says that an automatic tag is complete. */
  public Location tagSuccess(String name) {
    return tagFolder().child("tag-success-file/" + SafePaths.name("tag", name) + "_SUCCESS");
  }

  /** The folder of consumers. */
  public Location consumerFolder() {
    return branchFolder().child("consumer");
  }

  /** The file of a consumer. */
  public Location consumer(String id) {
    return consumerFolder().child(CONSUMER_PREFIX + SafePaths.name("consumer", id));
  }

  /** The folder of manifests, manifest lists and index manifests. */
  public Location manifestFolder() {
    return root.child("manifest");
  }

  /** A manifest, manifest list or index manifest. */
  public Location manifest(String name) {
    return manifestFolder().child(SafePaths.name("manifest", name));
  }

  /** The folder of statistics. */
  public Location statisticsFolder() {
    return root.child("statistics");
  }

  /** A statistics file. */
  public Location statistics(String name) {
    return statisticsFolder().child(SafePaths.name("statistics file", name));
  }

  /** The folder of index files that are not in a bucket's folder. */
  public Location indexFolder() {
    return root.child("index");
  }

  /** An index file of a bucket, whose metadata has {@code externalPath} or null. */
  public Location indexFile(
      String partitionPath, int bucket, String name, @Nullable String externalPath) {
    if (externalPath != null) {
      return SafePaths.external(externalPath, root, placement.externalRoots());
    }
    String checked = SafePaths.name("index file", name);
    return switch (placement.indexFiles()) {
      case INDEX_FOLDER -> indexFolder().child(checked);
      case BUCKET_FOLDER -> bucketFolder(partitionPath, bucket).child(checked);
    };
  }

  /** The folder above all partitions and buckets. */
  public Location dataFolder() {
    return placement.directory().isEmpty() ? root : root.child(placement.directory());
  }

  /**
   * The folder of a bucket. {@code partitionPath} comes from {@link PartitionPath}, empty when the
   * table is not partitioned.
   */
  public Location bucketFolder(String partitionPath, int bucket) {
    return bucketFolder(dataFolder(), partitionPath, bucket);
  }

  /** The folder of a bucket below an external root. */
  public static Location bucketFolder(Location above, String partitionPath, int bucket) {
    Location partition = partitionPath.isEmpty() ? above : above.child(partitionPath);
    return partition.child(
        BUCKET_PREFIX + (bucket == POSTPONE_BUCKET ? "postpone" : Integer.toString(bucket)));
  }

  /** A data file, whose metadata has {@code externalPath} or null. */
  public Location dataFile(
      String partitionPath, int bucket, String name, @Nullable String externalPath) {
    String checked = SafePaths.name("data file", name);
    return externalPath == null
        ? bucketFolder(partitionPath, bucket).child(checked)
        : SafePaths.external(externalPath, root, placement.externalRoots());
  }

  /** A side file of a data file: it is in the same folder. */
  public static Location extraFile(Location dataFile, String name) {
    return dataFile.parent().child(SafePaths.name("extra file", name));
  }

  /**
   * The number at the end of a file name such as {@code snapshot-12}; empty when the name does not
   * start with {@code prefix} or does not go on with a number.
   */
  public static OptionalLong idOf(String prefix, String fileName) {
    if (!fileName.startsWith(prefix)) {
      return OptionalLong.empty();
    }
    String digits = fileName.substring(prefix.length());
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= 18
            && digits.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    return isNumber ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
  }
}
