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
 * The name and place of every file of a table, and only here: {@link
 * io.keylake.format.layout.TableLayout} knows the folders, {@link
 * io.keylake.format.layout.PartitionPath} the partition folders, {@link
 * io.keylake.format.layout.DataFileNames} and {@link io.keylake.format.layout.MetadataFileNames}
 * make new names. Names that come out of metadata are checked before they become a path.
 */
@NullMarked
package io.keylake.format.layout;

import org.jspecify.annotations.NullMarked;
