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
 * The shape of one bucket of a primary-key table: {@link io.keylake.table.lsm.SortedRun}s on {@link
 * io.keylake.table.lsm.Levels}, and {@link io.keylake.table.lsm.Sections} of overlapping key
 * ranges. Metadata only; reads are planned and compactions are chosen on it.
 */
@NullMarked
package io.keylake.table.lsm;

import org.jspecify.annotations.NullMarked;
