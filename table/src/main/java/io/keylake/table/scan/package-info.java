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
 * From a snapshot to the live files of its buckets, pruned by what a query asks for. Start with
 * {@link io.keylake.table.scan.ScanPlanner} and {@link io.keylake.table.scan.BucketFiles}; {@link
 * io.keylake.table.scan.TimeTravel} chooses the snapshot.
 */
@NullMarked
package io.keylake.table.scan;

import org.jspecify.annotations.NullMarked;
