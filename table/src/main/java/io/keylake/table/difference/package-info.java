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
 * What has to be read to tell two states of a table apart. {@link
 * io.keylake.table.difference.DifferencePlanner} finds the files and the ranges of keys that differ
 * and cuts them into {@link io.keylake.table.difference.DifferenceSplit}s; nothing else of the
 * table is looked at. Metadata only.
 */
@NullMarked
package io.keylake.table.difference;

import org.jspecify.annotations.NullMarked;
