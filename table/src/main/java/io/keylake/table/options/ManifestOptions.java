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

import java.io.Serializable;
import java.util.Map;

/**
 * How manifests are written and merged.
 *
 * @param zstdLevel level of the zstd codec
 * @param targetBytes size at which the next manifest is started
 * @param fullThresholdBytes size of changed or small manifests from which all are rewritten
 * @param mergeMinCount number of small manifests from which they are merged
 * @param dropDeleteStats whether entries of removed files carry no statistics
 */
public record ManifestOptions(
    int zstdLevel,
    long targetBytes,
    long fullThresholdBytes,
    int mergeMinCount,
    boolean dropDeleteStats)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  static ManifestOptions of(Map<String, String> values) {
    return new ManifestOptions(
        StorageKeys.ZSTD_LEVEL.read(values),
        CommitKeys.MANIFEST_TARGET_SIZE.read(values).bytes(),
        CommitKeys.MANIFEST_FULL_THRESHOLD.read(values).bytes(),
        CommitKeys.MANIFEST_MERGE_MIN_COUNT.read(values),
        CommitKeys.MANIFEST_DROP_DELETE_STATS.read(values));
  }
}
