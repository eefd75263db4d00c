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

package io.keylake.procedures.report;

import io.keylake.format.schema.TableSchema;
import io.keylake.format.snapshot.Snapshot;
import io.keylake.format.snapshot.Tag;
import io.keylake.spark.conf.TableName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a report tells of a table, as of one snapshot.
 *
 * @param name the table
 * @param location its folder
 * @param branch the branch
 * @param schema its newest definition
 * @param options its options, secrets hidden, by key
 * @param snapshot the snapshot; null = the table never had rows
 * @param history its snapshots
 * @param partitions how many partitions have files
 * @param files its files
 * @param pictures some of its buckets, those that cost a reader most
 * @param minor what writes would compact now
 * @param full what a full compaction would do
 */
record TableFacts(
    TableName name,
    String location,
    String branch,
    TableSchema schema,
    Map<String, String> options,
    @Nullable Snapshot snapshot,
    History history,
    long partitions,
    FileTally files,
    List<BucketPicture> pictures,
    Work minor,
    Work full) {
  /** Copies the collections. */
  TableFacts {
    options = new TreeMap<>(options);
    pictures = List.copyOf(pictures);
  }

  /**
   * The versions of a table.
   *
   * @param newest the newest snapshots, oldest first
   * @param count how many snapshots there are
   * @param tags the newest tags, oldest first
   * @param tagCount how many tags there are
   */
  record History(List<Snapshot> newest, int count, List<Tag> tags, int tagCount) {
    History {
      newest = List.copyOf(newest);
      tags = List.copyOf(tags);
    }
  }
}
