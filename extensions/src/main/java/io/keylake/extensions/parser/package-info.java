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
 * Step before all others of a statement: from its text to a plan. {@link
 * io.keylake.extensions.parser.KeylakeParser} sits on the parser of the session, which may be that
 * of another extension, and adds two things: statements of our own ({@link
 * io.keylake.extensions.parser.OwnStatement}), told by their first words, and other dialects
 * ({@link io.keylake.extensions.parser.Dialect}), asked only for text that was refused. Both read
 * tokens of Spark's own lexer by {@link io.keylake.extensions.parser.TokenCursor}.
 */
@NullMarked
package io.keylake.extensions.parser;

import org.jspecify.annotations.NullMarked;
