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

package io.keylake.table.options;

import io.keylake.format.schema.TableSchema;
import java.util.HashMap;
import java.util.Map;

/**
 * The options of one table as the records that each concern asks for. Options of a statement or a
 * session go over the stored ones. Immutable; a record is built, and its values are checked, when
 * it is asked for.
 *
 * <p>All accessors throw {@link io.keylake.format.errors.InvalidRequestException} with
 * KEYLAKE_INVALID_OPTION when a value is not allowed.
 */
public final class TableOptions {
  private final TableSchema schema;
  private final Map<String, String> values;

  private TableOptions(TableSchema schema, Map<String, String> values) {
    this.schema = schema;
    this.values = Map.copyOf(values);
  }

  /** The options that the schema stores. */
  public static TableOptions of(TableSchema schema) {
    return new TableOptions(schema, schema.options());
  }

  /** The options that the schema stores, with {@code overrides} over them. */
  public static TableOptions of(TableSchema schema, Map<String, String> overrides) {
    Map<String, String> values = new HashMap<>(schema.options());
    values.putAll(overrides);
    return new TableOptions(schema, values);
  }

  /** Buckets. */
  public BucketOptions bucket() {
    return BucketOptions.of(schema, values);
  }

  /** Folders and file names. */
  public FileLayoutOptions fileLayout() {
    return FileLayoutOptions.of(values);
  }

  /** Data files. */
  public DataFileOptions dataFile() {
    return DataFileOptions.of(schema, values);
  }

  /** File indexes. */
  public FileIndexOptions fileIndex() {
    return FileIndexOptions.of(schema, values);
  }

  /** Statistics of columns. */
  public StatsOptions stats() {
    return StatsOptions.of(values);
  }

  /** How rows of one key combine. */
  public MergeOptions merge() {
    return MergeOptions.of(values);
  }

  /** Whether data may be older than the table's deletion vectors, so that some are missing. */
  public boolean vectorsMayBeMissing() {
    return EngineKeys.DELETION_VECTORS_MODIFIABLE.read(values);
  }

  /**
   * Whether level 0 is compacted together with the row that each of its keys has above it: of the
   * rows of a key above level 0 only the one on the lowest level is then not outdated.
   */
  public boolean lookupMode() {
    return merge().lookupMode();
  }

  /** The writer's sort buffer. */
  public SortBufferOptions sortBuffer() {
    return SortBufferOptions.of(values);
  }

  /** When buckets are compacted, and how. */
  public CompactionOptions compaction() {
    return CompactionOptions.of(values);
  }

  /** How deletion vectors are stored. */
  public VectorOptions vectors() {
    return VectorOptions.of(values);
  }

  /** Splits and visibility. */
  public ScanOptions scan() {
    return ScanOptions.of(values);
  }

  /** Which version is read. */
  public TimeTravelOptions timeTravel() {
    return TimeTravelOptions.of(values);
  }

  /** Commits. */
  public CommitOptions commit() {
    return CommitOptions.of(values);
  }

  /** Manifests. */
  public ManifestOptions manifest() {
    return ManifestOptions.of(values);
  }

  /** How long history is kept. */
  public RetentionOptions retention() {
    return RetentionOptions.of(values);
  }

  /** The text of all options, for showing and for storing. */
  public Map<String, String> asMap() {
    return values;
  }
}
