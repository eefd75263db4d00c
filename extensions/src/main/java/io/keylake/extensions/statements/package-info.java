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
 * Statements that Spark does not have: tags and branches in ALTER TABLE and SHOW, DESCRIBE HISTORY
 * and DETAIL, RESTORE, OPTIMIZE, VACUUM. Each becomes a CALL of a procedure or a query of a
 * metadata table; nothing is done here. {@link io.keylake.extensions.statements.Statements} names
 * them all.
 */
@NullMarked
package io.keylake.extensions.statements;

import org.jspecify.annotations.NullMarked;
