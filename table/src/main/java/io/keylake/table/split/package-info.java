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
 * From live files to units of read work: {@link io.keylake.table.split.SplitPlanner} cuts and packs
 * them, {@link io.keylake.table.split.Split} travels to the executor. A {@link
 * io.keylake.table.split.ScanUnit} is scanned once; its {@link io.keylake.table.split.Probe}s say
 * which of its rows do not count. The files of a {@link io.keylake.table.split.FoldSplit} are read
 * together, because their rows make new ones.
 */
@NullMarked
package io.keylake.table.split;

import org.jspecify.annotations.NullMarked;
