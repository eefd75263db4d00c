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
 * Replaces rows of keys where a record of the table's merge engine could not say what a statement
 * wants: {@link io.keylake.spark.rowlevel.rewrite.RowRewrite}.
 *
 * <ol>
 *   <li>An override hides every row of its key that the table holds; nothing is folded across it.
 *   <li>Records of the same statement are newer than its overrides: the insert of a key that
 *       another task deleted by an override, because an UPDATE moved the row away, is the key's
 *       row. An override that is a row and an insert of the same key are two rows with one key:
 *       KEYLAKE_DUPLICATE_KEY.
 *   <li>Where reads pass over level 0 (deletion vectors, first-row) the statement's records of the
 *       buckets that have overrides take part in the rewrite, as the newest runs and folded as the
 *       engine does; they are not committed as files of level 0. Elsewhere records stay in level 0.
 * </ol>
 */
@NullMarked
package io.keylake.spark.rowlevel.rewrite;

import org.jspecify.annotations.NullMarked;
