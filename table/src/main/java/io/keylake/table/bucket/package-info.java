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
 * Step 2 of a written row's road: which bucket a key belongs to. {@link
 * io.keylake.table.bucket.BucketMode} says how a table spreads its rows, {@link
 * io.keylake.table.bucket.BucketFunction} computes a bucket from the bytes of a bucket key, {@link
 * io.keylake.table.bucket.BucketStates} says where to go on with sequence numbers.
 */
@NullMarked
package io.keylake.table.bucket;

import org.jspecify.annotations.NullMarked;
