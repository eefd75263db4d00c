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
 * From a commit to the changes that it made, as metadata: which changelog files, added files or two
 * states of which buckets tell them. Start with {@link io.keylake.table.changes.ChangeLog} and
 * {@link io.keylake.table.changes.CommitChanges}; {@link io.keylake.table.changes.ChangeRules} says
 * what counts. Reading the rows is the data plane's work.
 */
@NullMarked
package io.keylake.table.changes;

import org.jspecify.annotations.NullMarked;
