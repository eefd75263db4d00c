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
 * Which version is the newest and which versions have names: rollback to an older version, tags
 * that the table makes by itself, and what tells two versions apart. Everything here works on
 * metadata files alone; data files that nothing refers to afterwards are left to the removal of
 * orphan files.
 *
 * <p>Read first: {@link io.keylake.table.reference.Rollback}, {@link
 * io.keylake.table.reference.AutomaticTags}.
 */
@NullMarked
package io.keylake.table.reference;

import org.jspecify.annotations.NullMarked;
