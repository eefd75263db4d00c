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
 * How the rows of one key of a table become one row: {@link
 * io.keylake.table.options.engine.EngineRules} is what a table's options say, checked against its
 * columns and resolved to their positions. {@link io.keylake.table.options.engine.ColumnRule} says
 * it for one column. The data plane carries the rules out.
 */
@NullMarked
package io.keylake.table.options.engine;

import org.jspecify.annotations.NullMarked;
