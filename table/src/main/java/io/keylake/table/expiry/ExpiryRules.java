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

package io.keylake.table.expiry;

import io.keylake.table.options.CommitKeys;
import io.keylake.table.options.TableOptions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a table say about expiry, beyond the numbers of {@link
 * io.keylake.table.options.RetentionOptions}.
 *
 * @param cleansEmptyFolders whether folders that expiry leaves empty go
 * @param consumersHoldChangelogsOnly whether consumers hold back changelogs, but not snapshots
 * @param consumersKept how long an idle consumer is kept; null = for ever
 * @param expiresTags whether tags whose time is over are removed after commits
 * @param partitionsKept how long partitions live; null = for ever
 * @param partitionCheckInterval how often partitions are looked at
 */
record ExpiryRules(
    boolean cleansEmptyFolders,
    boolean consumersHoldChangelogsOnly,
    @Nullable Duration consumersKept,
    boolean expiresTags,
    @Nullable Duration partitionsKept,
    Duration partitionCheckInterval) {
  static ExpiryRules of(TableOptions options) {
    Map<String, String> values = options.asMap();
    return new ExpiryRules(
        CommitKeys.CLEAN_EMPTY_FOLDERS.read(values),
        CommitKeys.CONSUMER_CHANGELOG_ONLY.read(values),
        CommitKeys.CONSUMER_EXPIRATION.find(values).orElse(null),
        CommitKeys.TAG_TIME_EXPIRE.read(values),
        CommitKeys.PARTITION_EXPIRATION.find(values).orElse(null),
        CommitKeys.PARTITION_CHECK_INTERVAL.read(values));
  }
}
