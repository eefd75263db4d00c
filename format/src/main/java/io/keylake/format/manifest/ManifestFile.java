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

package io.keylake.format.manifest;

import io.keylake.format.stats.ColumnStats;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * One record of a manifest list: a manifest with what is known of its entries.
 *
 * @param name file name without folder
 * @param size bytes
 * @param addedFiles number of ADD entries
 * @param deletedFiles number of DELETE entries
 * @param partitionStats bounds of the partition columns, not truncated
 * @param schemaId largest schema id of an entry
 * @param minBucket smallest bucket; null = unknown
 * @param maxBucket largest bucket; null = unknown
 * @param minLevel smallest level; null = unknown
 * @param maxLevel largest level; null = unknown
 * @param minRowId smallest first row id, only when every entry has one
 * @param maxRowId largest row id, only when every entry has one
 */
public record ManifestFile(
    String name,
    long size,
    long addedFiles,
    long deletedFiles,
    ColumnStats partitionStats,
    long schemaId,
    @Nullable Integer minBucket,
    @Nullable Integer maxBucket,
    @Nullable Integer minLevel,
    @Nullable Integer maxLevel,
    @Nullable Long minRowId,
    @Nullable Long maxRowId)
    implements Serializable {
  private static final long serialVersionUID = 1L;
}
