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
 * Steps 8 and 9 of a written row's road: what tasks wrote becomes a snapshot. {@link
 * io.keylake.table.commit.TableCommitter} is the entrance; it takes a {@link
 * io.keylake.table.commit.CommitRequest} made of {@link io.keylake.table.commit.BucketChange}s,
 * checks it against what others committed meanwhile, writes manifests and publishes. Writers ask
 * {@link io.keylake.table.bucket.BucketStates} for the sequence number to start from.
 */
@NullMarked
package io.keylake.table.commit;

import org.jspecify.annotations.NullMarked;
