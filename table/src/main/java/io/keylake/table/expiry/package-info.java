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

/**
 * The end of history: {@link io.keylake.table.expiry.SnapshotExpiry}, {@link
 * io.keylake.table.expiry.ChangelogExpiry}, {@link io.keylake.table.expiry.TagExpiry} and {@link
 * io.keylake.table.expiry.PartitionExpiry} say what has had its time, and {@link
 * io.keylake.table.expiry.FileRemoval}, the only class that deletes data, index and manifest files
 * of committed state, deletes files that are proven to be needed by nothing: {@link
 * io.keylake.table.expiry.UnneededFiles}.
 */
@NullMarked
package io.keylake.table.expiry;

import org.jspecify.annotations.NullMarked;
